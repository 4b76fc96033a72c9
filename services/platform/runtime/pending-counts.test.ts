import { expect, test } from "@jest/globals";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { Outage } from "../errors.ts";
import { PendingCounts } from "./pending-counts.ts";

test("what could not be written is written with what came since, and the last says what it was", async () => {
  const written: unknown[] = [];
  let isAway = true;
  const counts = new PendingCounts<{ reason: string }>({
    name: "counts",
    write: async (batch) => {
      if (isAway) throw new Outage("the database");
      written.push(...batch);
    },
  });
  counts.add("a", { reason: "first" });
  await expect(counts.flush()).rejects.toThrow(Outage);
  counts.add("a", { reason: "second" });
  counts.add("b", { reason: "other" });
  isAway = false;
  await counts.flush();
  await counts.flush();
  expect(written).toEqual([
    { reason: "second", count: 2, lastAt: expect.any(Date) },
    { reason: "other", count: 1, lastAt: expect.any(Date) },
  ]);
});

test("its service stops though they cannot be written", async () => {
  let writes = 0;
  const counts = new PendingCounts<object>({
    name: "counts",
    write: async () => {
      writes += 1;
      throw new Outage("bindings");
    },
  });
  const task = counts.task(silentLogger);
  counts.add("a", {});
  await expect(task.stop()).resolves.toBeUndefined();
  expect([task.name, writes]).toEqual(["counts", 1]);
});
