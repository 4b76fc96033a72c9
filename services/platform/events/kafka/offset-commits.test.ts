import { describe, expect, test } from "@jest/globals";
import { createLogger } from "../../telemetry/logger.ts";
import { OffsetCommits } from "./offset-commits.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const neverMs = 3_600_000;

describe("commits of offsets", () => {
  test("what many partitions resolve within an interval is one commit", async () => {
    const commits = new OffsetCommits(logger, neverMs);
    let count = 0;
    const commit = async () => {
      count += 1;
    };
    for (let piece = 0; piece < 12; piece++) await commits.resolved(commit);
    expect(count).toBe(0);
    await commits.end();
    expect(count).toBe(1);
  });

  test("what a batch resolves while the member stops is committed before it goes on", async () => {
    const commits = new OffsetCommits(logger, neverMs);
    await commits.end();
    let count = 0;
    await commits.resolved(async () => {
      count += 1;
    });
    expect(count).toBe(1);
  });

  test("a commit that fails is made again, though nothing more is resolved", async () => {
    const commits = new OffsetCommits(logger, 1);
    const { promise: succeeded, resolve } = Promise.withResolvers<void>();
    let attempts = 0;
    await commits.resolved(async () => {
      attempts += 1;
      if (attempts < 3) throw new Error("the coordinator moves");
      resolve();
    });
    await succeeded;
    await commits.end();
    expect(attempts).toBe(3);
  });
});
