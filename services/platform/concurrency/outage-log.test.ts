import { expect, test } from "@jest/globals";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { Outage } from "../errors.ts";
import { OutageLog } from "./outage-log.ts";

test("an outage is told of once, and once it is over; what is none is told of each time", () => {
  const lines: unknown[] = [];
  const say = (...line: unknown[]) => void lines.push(line);
  const logger = { ...silentLogger, warn: say, info: say, child: () => silentLogger };
  const log = new OutageLog({ logger, lost: "cannot send", back: "sending resumed", fields: { task: "a" } });
  const [outage, bug] = [new Outage("broker"), new TypeError("it is not a function")];
  log.over();
  for (const error of [outage, outage, bug, bug, outage]) log.met(error);
  for (let times = 0; times < 2; times++) log.over();
  log.met(outage);
  const told = (err: unknown) => [{ task: "a", err }, "cannot send"];
  expect(lines).toEqual([told(outage), told(bug), told(bug), [{ task: "a" }, "sending resumed"], told(outage)]);
});
