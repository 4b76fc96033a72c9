import type { Readable } from "node:stream";
import type { Transaction } from "../db/types.ts";
import type { BucketObject } from "./backing.ts";

/** Bytes that are kept, and not yet part of anything: `attach` makes them so, `discard` deletes them. */
export interface PreparedBlob {
  readonly id: string;
  readonly sizeBytes: number;
  /** All of it where it is small; undefined where it has been written ahead. */
  readonly bytes?: Buffer;
}

export interface AttachOptions {
  /**
   * How often each will be read within seconds, in their order. Small ones stay in memory until then, so that this process need not read them
   * back. They are also removed within seconds: where there are segments, that is where they go.
   */
  expectedReads?: readonly number[];
}

/** What one call of a search for lost or stray blobs looks at: what was made before `before`, after the end of the last call. */
export interface PageRequest {
  after: string | null;
  before: Date;
}

/** What one such call found, and where the next begins; null after the last. */
export interface Found<T> {
  found: T[];
  next: string | null;
}

/** Where a service keeps bytes of any size: in its own schema, in an S3-compatible store, or for a while in files (segments/). */
export interface BlobStore {
  /**
   * Reads a source to its end, holding at most 4 MiB of it. Small ones stay in memory until `attach`; larger ones are
   * written ahead, and swept if they are never attached.
   * @throws BlobTooLarge over `limitBytes`; Outage when the store is out of reach. What was written is dropped.
   */
  prepare(source: AsyncIterable<Buffer>, options?: { limitBytes?: number }): Promise<PreparedBlob>;
  /** Makes them durable with the transaction's commit: one statement for all. */
  attach(tx: Transaction, prepared: readonly PreparedBlob[], options?: AttachOptions): Promise<void>;
  /** Lets go of what will not be attached. */
  discard(prepared: PreparedBlob): Promise<void>;
  /** The bytes as a stream, at the reader's pace. @throws Refusal NotFound; Outage. */
  open(id: string): Promise<Readable>;
  /** Gone with the transaction's commit; what lies outside the database follows by `sweep`. */
  remove(tx: Transaction, ids: readonly string[]): Promise<void>;
  /** Drops what was prepared over an hour ago and never attached, and what was removed. */
  sweep(): Promise<void>;
  /** For operators: objects in the bucket that no row knows, which are deleted if so asked. None where there is no bucket. @throws Outage */
  strayObjects(page: PageRequest & { areDeleted: boolean }): Promise<Found<BucketObject>>;
  /** For operators: the ids of attached blobs whose object is not in the bucket, or which are damaged in their segment. @throws Outage, where S3_BUCKET is not set as well */
  lostBlobs(page: PageRequest): Promise<Found<string>>;
}

/** The source went on beyond the limit that the caller had set. */
export class BlobTooLarge extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`more than ${limitBytes} bytes`);
    this.name = "BlobTooLarge";
    this.limitBytes = limitBytes;
  }
}
