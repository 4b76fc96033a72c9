import { recordSet } from "../../db/record-set.ts";
import type { Database } from "../../db/types.ts";
import { hourMs } from "../../durations.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { lackingSegments, segmentEnds } from "./damaged-blobs.ts";
import { DamagedFrame, type FramedBlob } from "./frames.ts";
import type { SegmentFolder } from "./segment-folder.ts";
import { SegmentWriter } from "./segment-writer.ts";

/** What still lies in a segment this long after its last blob moves into the rows, so that the segment can go with all that was erased. */
const maxAgeMs = 12 * hourMs;
/** Blobs that are moved in one transaction: of 256 KiB each at most. */
const movedAtOnce = 16;

const movedBlobs = recordSet({ id: "uuid", bytes: "bytea" });

interface SegmentUpkeepOptions {
  db: Database;
  folder: SegmentFolder;
  logger: Logger;
  /** Whether new blobs go into segments; if not, all that is there moves. */
  isWritten: boolean;
}

/**
 * Keeps of the segments what rows speak of, and nothing else. The one process that writes segments does so, or would if it were
 * told to; rows are removed by any.
 */
export class SegmentUpkeep {
  readonly #db: Database;
  readonly #folder: SegmentFolder;
  readonly #logger: Logger;
  readonly #maxAgeMs: number;
  readonly writer: SegmentWriter | undefined;

  private constructor({ db, folder, logger, isWritten }: SegmentUpkeepOptions, nextNumber: number) {
    this.#db = db;
    this.#folder = folder;
    this.#logger = logger;
    this.#maxAgeMs = isWritten ? maxAgeMs : 0;
    this.writer = isWritten ? new SegmentWriter(folder, nextNumber) : undefined;
  }

  /** Removes what a former process has left behind: segments without rows, and ends that no row speaks of, as a crash leaves them. */
  static async start(options: SegmentUpkeepOptions): Promise<SegmentUpkeep> {
    const { db, folder, logger } = options;
    // Not in a migration: where there are no segments, no one has to wait for it.
    await db.query("create index if not exists blob_segment on blob (segment) where segment is not null");
    const ends = await segmentEnds(db);
    const numbers = await folder.numbers();
    await folder.removePartial();
    for (const number of numbers) {
      const end = ends.get(number);
      if (end === undefined) await folder.remove(number);
      else if ((await folder.size(number)) > end) await folder.cut(number, end);
    }
    const lacking = await lackingSegments(db, folder);
    if (lacking.length > 0)
      logger.error({ segments: lacking }, "segments lack messages: `admin -- reconcile` names their emails");
    return new SegmentUpkeep(options, Math.max(0, ...numbers, ...ends.keys()) + 1);
  }

  /** Removes the segments that no row speaks of any more. */
  async removeUnneeded(): Promise<void> {
    await this.writer?.endOld();
    const closed = await this.#closed();
    if (closed.length === 0) return;
    const { rows } = await this.#db.query<{ number: number }>(
      "select number from unnest($1::integer[]) as number where not exists (select from blob where segment = number)",
      [closed],
      { name: "unneeded segments" },
    );
    for (const { number } of rows) await this.#folder.remove(number);
  }

  /** Moves what has been in segments for long into the rows. Where something is damaged, it alone stays. */
  async moveOld(signal: AbortSignal): Promise<void> {
    for (const segment of await this.#closed()) {
      const writtenAt = await this.#folder.writtenAt(segment).catch(() => undefined);
      if (writtenAt && Date.now() - writtenAt.getTime() >= this.#maxAgeMs) await this.#move(segment, signal);
      if (signal.aborted) break;
    }
  }

  async close(): Promise<void> {
    await this.writer?.close();
  }

  /** Those that nothing is written to, and no row will come for. */
  async #closed(): Promise<number[]> {
    const numbers = await this.#folder.numbers();
    return numbers.filter((number) => !this.writer?.isInUse(number));
  }

  async #move(segment: number, signal: AbortSignal): Promise<void> {
    const damaged: FramedBlob[] = [];
    for (let after = -1; !signal.aborted; ) {
      const { rows } = await this.#db.query<FramedBlob>(
        `select id, segment, segment_offset as "offset", size_bytes from blob
          where segment = $1 and segment_offset > $2 order by segment_offset limit $3`,
        [segment, after, movedAtOnce],
      );
      const last = rows.at(-1);
      if (!last) return this.#keepDamaged(segment, damaged);
      const whole: { id: string; bytes: Buffer }[] = [];
      for (const blob of rows) {
        const bytes = await this.#read(blob);
        if (bytes) whole.push({ id: blob.id, bytes });
        else damaged.push(blob);
      }
      await this.#db.query(
        `update blob set bytes = moved.bytes, segment = null, segment_offset = null
           from ${movedBlobs.from("moved", 2)} where blob.id = moved.id and segment = $1`,
        [segment, ...movedBlobs.params(whole)],
      );
      after = last.offset;
    }
  }

  /** Undefined for what is damaged. */
  async #read(blob: FramedBlob): Promise<Buffer | undefined> {
    try {
      return await this.#folder.read(blob);
    } catch (error) {
      if (error instanceof DamagedFrame) return undefined;
      throw error;
    }
  }

  /** What is damaged stays where it is, for who may know how to mend it; what was erased beside it goes. */
  async #keepDamaged(segment: number, damaged: readonly FramedBlob[]): Promise<void> {
    if (damaged.length === 0) return;
    const blobIds = damaged.map(({ id }) => id);
    this.#logger.error({ segment, blobIds }, "messages are damaged: `admin -- reconcile` names their emails");
    await this.#folder.keepOnly(segment, damaged);
  }
}
