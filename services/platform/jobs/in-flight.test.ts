import { expect, test } from "@jest/globals";
import { newId } from "../ids.ts";
import { InFlight } from "./in-flight.ts";

test("a job that is in flight is not begun again, though its lease ran out before its insertion was committed", () => {
  const inFlight = new InFlight<string>({ key: { column: "id", of: (id) => id }, concurrencyLimits: [], limit: 10 });
  const [first, second] = [newId(), newId()];
  expect(inFlight.add([first])).toEqual({ added: [first], rejected: [] });
  expect(inFlight.add([first, second])).toEqual({ added: [second], rejected: [] });
  inFlight.remove(first);
  expect(inFlight.jobs()).toEqual([second]);
});
