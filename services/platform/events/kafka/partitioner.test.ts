import { expect, test } from "@jest/globals";
import fc from "fast-check";
import kafkajs from "kafkajs";
import { keyPartitioner } from "./partitioner.ts";

test("a key goes to the partition that kafkajs would choose", () => {
  const [ours, theirs] = [keyPartitioner(), kafkajs.Partitioners.DefaultPartitioner()];
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 1_000 }), (key, count) => {
      const partitionMetadata = Array.from({ length: count }, (_, partitionId) => ({
        partitionErrorCode: 0,
        partitionId,
        leader: 1,
        replicas: [1],
        isr: [1],
      }));
      const given = { topic: "a", partitionMetadata, message: { key, value: null } };
      expect(ours(given)).toBe(theirs(given));
    }),
    { numRuns: 1_000 },
  );
});
