import type { Readable } from "node:stream";

/** Where bytes that are not in a blob's own row are, by the blob's id. All of it rejects with Outage when out of reach. */
export interface BlobBacking {
  /** Writes chunks as they come, one after the other. */
  write(id: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Bytes that turn out not to be there are an error, never an early end. */
  read(id: string, sizeBytes: number): Promise<Readable>;
  /** What is not there is not missed. */
  delete(ids: readonly string[]): Promise<void>;
}
