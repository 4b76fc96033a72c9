import { Readable } from "node:stream";
import { int32, int64, uuidBytes } from "../../db/binary-values.ts";
import type { Database, Transaction } from "../../db/types.ts";
import type { Found, PageRequest } from "../types.ts";
import { findDamagedBlobs } from "./damaged-blobs.ts";
import type { FramedBlob, FramePlace } from "./frames.ts";
import type { SegmentFolder } from "./segment-folder.ts";
import type { SegmentWriter } from "./segment-writer.ts";

/** Smaller ones are in their rows all the same: they cost less there (bench/README.md, "Message files"). */
const minBytes = 64 * 1024;

interface WholeBlob {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Blobs in files of this machine, up to 256 KiB each; new ones where there is a writer. */
export class SegmentBacking {
  readonly #folder: SegmentFolder;
  readonly #writer: SegmentWriter | undefined;

  constructor(folder: SegmentFolder, writer?: SegmentWriter) {
    this.#folder = folder;
    this.#writer = writer;
  }

  /** Whether it would be put here. */
  takes({ bytes }: WholeBlob): boolean {
    return this.#writer !== undefined && bytes.length >= minBytes;
  }

  /** Bytes first: their rows come once they are on the disk. @throws Outage */
  async attach(tx: Transaction, blobs: readonly WholeBlob[]): Promise<void> {
    const writer = this.#writer;
    if (!writer || blobs.length === 0) return;
    const places = await writer.append(blobs);
    tx.afterCommit(() => writer.committed(places));
    await tx.copyRows(
      "blob (id, size_bytes, segment, segment_offset)",
      blobs.map(({ id, bytes }, at) => {
        const { segment, offset } = places[at] as FramePlace;
        return [uuidBytes(id), int64(bytes.length), int32(segment), int32(offset)];
      }),
    );
  }

  /** @throws DamagedFrame, also for what has moved since its row was read */
  async read(blob: FramedBlob): Promise<Readable> {
    return Readable.from(await this.#folder.read(blob), { objectMode: false });
  }

  findDamaged(db: Database, page: PageRequest): Promise<Found<string>> {
    return findDamagedBlobs(db, this.#folder, page);
  }
}
