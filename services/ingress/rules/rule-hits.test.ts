import { expect, test } from "@jest/globals";
import { silentLogger } from "../../../test/support/database.ts";
import { Outage } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { RuleHits } from "./rule-hits.ts";

test("ingress stops while bindings is away", async () => {
  let calls = 0;
  const hits = new RuleHits({
    countRuleHits: async () => {
      calls++;
      throw new Outage("bindings");
    },
  });
  const task = hits.task(silentLogger);
  hits.add(newId(), newId());
  await expect(task.stop()).resolves.toBeUndefined();
  expect([task.name, calls]).toEqual(["rule-hits", 1]);
});
