import { describe, expect, test } from "@jest/globals";
import { type Assumptions, type Costs, planFor } from "./model.ts";

const costs: Costs = {
  source: "a test",
  cpuSecondsPerThousand: { ingress: 3, PostgreSQL: 2 },
  storedBytesPerMessage: 5_000,
};
const assumptions: Assumptions = {
  databaseShare: { ingress: 0.75, mailbox: 0.25 },
  eventsPerMessage: 3,
  eventBytes: 1_000,
  walPerStoredByte: 2,
  keptShare: 0.5,
  keptDays: 1,
  utilisation: 0.5,
  eventsPerPartitionPerS: 100,
  walBytesPerSPerDatabase: 5_000_000,
  coresPerDatabase: 32,
};
const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0);

describe("what a rate of messages needs", () => {
  test("is what a message costs, times the rate, over what a core may be used", () => {
    const plan = planFor(costs, assumptions, 1_000);
    expect(Object.fromEntries(plan.cores)).toEqual({ ingress: 6, PostgreSQL: 4 });
    expect(plan).toMatchObject({ partitions: 10, busBytesPerS: 3_000_000, storedBytes: 216_000_000_000 });
    expect(plan.databases.get("ingress")).toEqual({ cores: 3, walBytesPerS: 7_500_000, servers: 2 });
  });

  test.each([1, 1_000, 100_000])("accounts at %i a second for all that comes in", (messagesPerS) => {
    const plan = planFor(costs, assumptions, messagesPerS);
    expect(plan.keptPerS + plan.releasedPerS).toBe(messagesPerS);
    const databases = [...plan.databases.values()];
    expect(sum(databases.map(({ cores }) => cores))).toBeCloseTo(plan.cores.get("PostgreSQL") ?? 0);
    expect(sum(databases.map(({ walBytesPerS }) => walBytesPerS))).toBeCloseTo(messagesPerS * 10_000);
  });

  test("never falls where more mail comes in", () => {
    const rates = [1, 10, 99, 100, 101, 10_000, 100_000];
    const needed = rates.map((messagesPerS) => {
      const { cores, partitions, storedBytes, databases } = planFor(costs, assumptions, messagesPerS);
      const servers = sum([...databases.values()].map((database) => database.servers));
      return [sum(cores.values()), partitions, storedBytes, servers];
    });
    for (const column of needed[0]?.keys() ?? []) {
      const found = needed.map((row) => row[column] ?? 0);
      expect(found).toEqual(found.toSorted((one, other) => one - other));
    }
  });
});
