import { batchLimit } from "../event-batcher.ts";
import type { EncodedEvent } from "../types.ts";
import type { OffsetCommits } from "./offset-commits.ts";
import { fromRecord, type StoredRecord } from "./records.ts";

/** How often a member tells its group that it lives; a fifth of the session, so that a few may be late. */
export const heartbeatMs = 2_000;
/** Under the usual limit of 1 MiB a batch (message.max.bytes), keys and headers included. */
const sendLimitBytes = 768 * 1024;

/** What a client of Kafka hands over of one partition, and what can be done with it. */
interface PartitionBatch {
  readonly batch: {
    readonly topic: string;
    readonly partition: number;
    readonly messages: readonly StoredRecord[];
    lastOffset(): string;
  };
  heartbeat(): Promise<void>;
  isRunning(): boolean;
  isStale(): boolean;
  resolveOffset(offset: string): void;
  commitOffsetsIfNecessary(offsets: Offsets): Promise<void>;
  /** What is resolved and not committed, of all partitions of this member. */
  uncommittedOffsets(): Offsets;
}

interface Offsets {
  topics: { topic: string; partitions: { partition: number; offset: string }[] }[];
}

interface BatchSettings {
  /** Without the installation's prefix. */
  readonly topic: string;
  readonly commits: OffsetCommits;
  process(events: readonly EncodedEvent[]): Promise<void>;
}

/** Takes a partition's batch piece by piece; offsets are committed soon after. What is not taken is fetched again. */
export async function processBatch(payload: PartitionBatch, { topic, commits, process }: BatchSettings): Promise<void> {
  const { batch, heartbeat, isRunning, isStale, resolveOffset } = payload;
  const { partition, messages } = batch;
  for (let start = 0; start < messages.length && isRunning() && !isStale(); start += batchLimit) {
    const piece = messages.slice(start, start + batchLimit);
    const events = piece.map((message) => fromRecord(message, topic, partition));
    try {
      await whileBeating(heartbeat, process(events));
    } catch (error) {
      if (!isRunning()) return;
      throw error;
    }
    resolveOffset(piece.at(-1)?.offset ?? batch.lastOffset());
    await commits.resolved(() => payload.commitOffsetsIfNecessary(payload.uncommittedOffsets()));
    await heartbeat();
  }
}

/** Keeps the session alive during long work. @throws as soon as the group has moved on without us. */
async function whileBeating(heartbeat: () => Promise<void>, work: Promise<void>): Promise<void> {
  const lost = Promise.withResolvers<never>();
  const timer = setInterval(() => void heartbeat().catch(lost.reject), heartbeatMs);
  await Promise.race([work, lost.promise]).finally(() => clearInterval(timer));
}

/** The events in pieces that a broker takes in one request. */
export function* partsOf(events: readonly EncodedEvent[]): Generator<readonly EncodedEvent[]> {
  let start = 0;
  let sizeBytes = 0;
  for (const [index, { payload }] of events.entries()) {
    if (sizeBytes > 0 && sizeBytes + payload.length > sendLimitBytes) {
      yield events.slice(start, index);
      start = index;
      sizeBytes = 0;
    }
    sizeBytes += payload.length;
  }
  if (start < events.length) yield events.slice(start);
}
