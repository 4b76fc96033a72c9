import { Readable } from "node:stream";
import { Semaphore } from "../concurrency/semaphore.ts";
import { int32, uuidBytes } from "../db/binary-values.ts";
import type { Database } from "../db/types.ts";
import type { BlobBacking } from "./backing.ts";
import { chunkBytes } from "./chunks.ts";

/** What fits into one read of a socket, the driver need not put together in memory of its own. */
const sliceBytes = 32 * 1024;
/** Chunks on their way to or from the database at once, so that long messages leave connections to others. */
const maxConcurrentCopies = 4;

/** Bytes in rows of 256 KiB, in the service's own schema. */
export class DatabaseChunks implements BlobBacking {
  readonly #db: Database;
  readonly #copies = new Semaphore(maxConcurrentCopies);

  constructor(db: Database) {
    this.#db = db;
  }

  async write(id: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    const blobId = uuidBytes(id);
    let position = 0;
    for await (const chunk of chunks) {
      const row = [blobId, int32(position), chunk];
      await this.#copies.run(() => this.#db.copyRows("blob_chunk (blob_id, position, bytes)", [row]));
      position += 1;
    }
  }

  async read(id: string, sizeBytes: number): Promise<Readable> {
    // One slice ahead of the reader, however small.
    return Readable.from(this.#slices(id, sizeBytes), { objectMode: false, highWaterMark: 1 });
  }

  /** A statement for each chunk: one for each slice would cost several times as much as the bytes do. */
  async *#slices(id: string, sizeBytes: number): AsyncGenerator<Buffer, void> {
    for (let position = 0; position * chunkBytes < sizeBytes; position += 1) {
      const slices = await this.#copies.run(() =>
        this.#db.copyBytea(
          `select substring(bytes from start for $3) from blob_chunk, generate_series(1, octet_length(bytes), $3) as start
            where blob_id = $1 and position = $2 order by start`,
          [id, position, sliceBytes],
        ),
      );
      if (slices.length === 0) throw new Error(`blob ${id} was removed while it was read`);
      // An array's iterator has no `throw`, which a stream calls that is destroyed: `yield*` would make a TypeError of a hang-up.
      for (const slice of slices) yield slice;
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.#db.query("delete from blob_chunk where blob_id = any ($1::uuid[])", [ids], {
      name: "delete blob chunks",
    });
  }
}
