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

/** As the store lists it. */
export interface BucketObject {
  /** A blob's id, or whatever else somebody has put beside them. */
  id: string;
  sizeBytes: number;
  modifiedAt: Date;
}

export interface ListedBacking extends BlobBacking {
  /** A page of the objects that are there, after one that was listed before. @returns where to go on; null after the last */
  list(after: string | null): Promise<{ objects: BucketObject[]; next: string | null }>;
}
