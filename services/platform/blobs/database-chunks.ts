import { Readable } from "node:stream";
import type { Database } from "../db/types.ts";
import type { Backing } from "./backing.ts";
import { chunkBytes } from "./chunks.ts";

/** How many chunks go in one statement, and lie in memory some three times while it is sent. */
const chunksAtOnce = 2;

/** Bytes in rows of 256 KiB, in the service's own schema. */
export class DatabaseChunks implements Backing {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async write(id: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    let position = 0;
    let held: Buffer[] = [];
    const flush = async () => {
      await this.#db.query(
        `insert into blob_chunk (blob_id, position, bytes)
         select $1, $2 + ordinality - 1, bytes from unnest($3::bytea[]) with ordinality as given(bytes, ordinality)`,
        [id, position, held],
        { name: "write blob chunks" },
      );
      position += held.length;
      held = [];
    };
    for await (const chunk of chunks) if (held.push(chunk) === chunksAtOnce) await flush();
    if (held.length > 0) await flush();
  }

  async read(id: string, sizeBytes: number): Promise<Readable> {
    return Readable.from(this.#chunks(id, sizeBytes), { objectMode: false, highWaterMark: chunkBytes });
  }

  async *#chunks(id: string, sizeBytes: number): AsyncGenerator<Buffer, void> {
    for (let position = 0; position * chunkBytes < sizeBytes; position++) {
      const { rows } = await this.#db.query<{ bytes: Buffer }>(
        "select bytes from blob_chunk where blob_id = $1 and position = $2",
        [id, position],
        { name: "read blob chunk" },
      );
      const [chunk] = rows;
      if (!chunk) throw new Error(`blob ${id} was removed while it was read`);
      yield chunk.bytes;
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.#db.query("delete from blob_chunk where blob_id = any ($1::uuid[])", [ids], {
      name: "delete blob chunks",
    });
  }
}
