import { Readable } from "node:stream";
import { Batcher } from "../concurrency/batcher.ts";
import { binaryArray, int64, uuidBytes } from "../db/binary-values.ts";
import { recordSet } from "../db/record-set.ts";
import type { Database, Transaction } from "../db/types.ts";
import { Outage, Refusal } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { BlobBacking, BucketObject, ListedBacking } from "./backing.ts";
import { type BlobRow, lookUpBlobs } from "./blob-lookup.ts";
import { inChunks, MeasuredStream, readFirstChunk } from "./chunks.ts";
import { findLostBlobs, findStrayObjects, merged } from "./compare-bucket.ts";
import { DatabaseChunks } from "./database-chunks.ts";
import { RecentBlobs } from "./recent-blobs.ts";
import { DamagedFrame } from "./segments/frames.ts";
import type { SegmentBacking } from "./segments/segment-backing.ts";
import type { AttachOptions, BlobStore, Found, PageRequest, PreparedBlob } from "./types.ts";

const writtenBlobs = recordSet({ id: "uuid", sizeBytes: "bigint" });

/** How long a prepared blob may take to be attached. */
const orphanAge = "1 hour";
const sweepBatchSize = 200;
/** At 256 KiB of bytes in a row, what one answer holds. */
const openBatchSize = 16;

interface StoredBlobsOptions {
  db: Database;
  /** Where new bytes go; absent: into the schema. */
  bucket?: ListedBacking | undefined;
  /** Where new bytes go that are read and removed soon; absent: where the others go. */
  segments?: SegmentBacking | undefined;
  logger: Logger;
}

/** A row for each blob says where its bytes are, so that what was kept one way is still read after a change to the other. */
export class StoredBlobs implements BlobStore {
  readonly #db: Database;
  readonly #chunks: BlobBacking;
  readonly #bucket: ListedBacking | undefined;
  readonly #segments: SegmentBacking | undefined;
  readonly #logger: Logger;
  readonly #recent = new RecentBlobs();
  /** Blobs that are opened at the same time are looked up together. */
  readonly #found: Batcher<string, BlobRow | undefined>;

  constructor({ db, bucket, segments, logger }: StoredBlobsOptions) {
    this.#db = db;
    this.#chunks = new DatabaseChunks(db);
    this.#bucket = bucket;
    this.#segments = segments;
    this.#logger = logger;
    this.#found = new Batcher({
      name: "find blobs",
      slots: 2,
      maxItems: openBatchSize,
      onFailure: "isolate",
      run: (ids) => lookUpBlobs(db, ids),
    });
  }

  async prepare(source: AsyncIterable<Buffer>, { limitBytes }: { limitBytes?: number } = {}): Promise<PreparedBlob> {
    const measured = new MeasuredStream(source, limitBytes);
    if (this.#bucket) return this.#writeAhead([], inChunks(measured), measured);
    const pieces = measured[Symbol.asyncIterator]();
    const beginning = await readFirstChunk(pieces);
    const { all } = beginning;
    if (all) return { id: newId(), sizeBytes: all.length, bytes: all };
    const chunks = inChunks(joined(beginning.pieces, pieces));
    const first = await chunks.next();
    return this.#writeAhead(first.done ? [] : [first.value], chunks, measured);
  }

  /** The row is written first: after any failure the sweep knows what to look for. */
  async #writeAhead(
    read: Buffer[],
    rest: AsyncGenerator<Buffer, void>,
    measured: MeasuredStream,
  ): Promise<PreparedBlob> {
    const id = newId();
    try {
      await this.#db.query(
        "insert into blob (id, size_bytes, is_in_bucket, unattached_since) values ($1, 0, $2, now())",
        [id, this.#bucket !== undefined],
        { name: "write blob ahead" },
      );
      await (this.#bucket ?? this.#chunks).write(id, joined(read, rest));
      return { id, sizeBytes: measured.sizeBytes };
    } catch (error) {
      await rest.return();
      await this.#drop([id]).catch((reason) =>
        this.#logger.warn({ err: reason, blobId: id }, "cannot remove a partial blob; the sweep will"),
      );
      throw error;
    }
  }

  async attach(
    tx: Transaction,
    prepared: readonly PreparedBlob[],
    { expectedReads }: AttachOptions = {},
  ): Promise<void> {
    const inMemory = prepared.flatMap(({ id, bytes }) => (bytes ? [{ id, bytes }] : []));
    const ahead = prepared.filter(({ bytes }) => bytes === undefined);
    if (inMemory.length > 0) {
      const segments = expectedReads ? this.#segments : undefined;
      const inRows = inMemory.filter((blob) => !segments?.takes(blob));
      const inSegments = inMemory.filter((blob) => segments?.takes(blob));
      await Promise.all([insertWhole(tx, inRows), segments?.attach(tx, inSegments)]);
      if (expectedReads) tx.afterCommit(() => this.#recent.keep(prepared, expectedReads));
    }
    if (ahead.length > 0) await attachWritten(tx, ahead);
  }

  async discard({ id, bytes }: PreparedBlob): Promise<void> {
    if (bytes === undefined) await this.#drop([id]);
  }

  async open(id: string): Promise<Readable> {
    const recent = this.#recent.read(id.toLowerCase());
    if (recent) return Readable.from(recent, { objectMode: false });
    const found = isId(id) ? await this.#found.submit(id) : undefined;
    if (!found) throw new Refusal("NotFound", { public: "This is not kept, or no longer.", operator: `blob ${id}` });
    if (found.bytes) return Readable.from(found.bytes, { objectMode: false });
    if (found.segment !== null) return this.#openInSegment(found);
    return (found.isInBucket ? this.#needBucket() : this.#chunks).read(id, found.size);
  }

  async #openInSegment({ id, size, segment, segmentOffset }: BlobRow): Promise<Readable> {
    const blob = { id, sizeBytes: size, segment: segment ?? 0, offset: segmentOffset ?? 0 };
    try {
      return await this.#needSegments().read(blob);
    } catch (error) {
      if (!(error instanceof DamagedFrame)) throw error;
      const now = await this.#found.submit(id);
      if (now?.segment === segment) throw error;
      return this.open(id);
    }
  }

  async remove(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await tx.query(
      `with in_database as (delete from blob where id = any ($1::uuid[]) and not is_in_bucket returning id, bytes is null and segment is null as is_chunked),
            chunks as (delete from blob_chunk using in_database where blob_id = id and is_chunked)
       update blob set unattached_since = '-infinity' where id = any ($1::uuid[]) and is_in_bucket`,
      [binaryArray("uuid", ids)],
      { name: "remove blobs" },
    );
    tx.afterCommit(() => {
      this.#recent.forget(ids);
    });
  }

  async sweep(): Promise<void> {
    for (let found = sweepBatchSize; found === sweepBatchSize; ) {
      const { rows } = await this.#db.query<{ id: string }>(
        "select id from blob where unattached_since < now() - $1::interval order by unattached_since limit $2",
        [orphanAge, sweepBatchSize],
      );
      found = rows.length;
      if (found > 0) await this.#drop(rows.map(({ id }) => id));
    }
  }

  async strayObjects({ areDeleted, ...page }: PageRequest & { areDeleted: boolean }): Promise<Found<BucketObject>> {
    if (!this.#bucket) return { found: [], next: null };
    const strays = await findStrayObjects(this.#db, this.#bucket, page);
    if (areDeleted && strays.found.length > 0) await this.#bucket.delete(strays.found.map(({ id }) => id));
    return strays;
  }

  async lostBlobs(page: PageRequest): Promise<Found<string>> {
    if (this.#bucket || (await this.#isAny("is_in_bucket and unattached_since is null")))
      return merged(
        await findLostBlobs(this.#db, this.#needBucket(), page),
        await this.#segments?.findDamaged(this.#db, page),
      );
    if (this.#segments || (await this.#isAny("segment is not null")))
      return this.#needSegments().findDamaged(this.#db, page);
    return { found: [], next: null };
  }

  async #isAny(where: string): Promise<boolean> {
    return (await this.#db.query(`select from blob where ${where} limit 1`)).rows.length > 0;
  }

  /** Interrupted anywhere, it is done again by the sweep. What has been attached meanwhile stays. */
  async #drop(ids: readonly string[]): Promise<void> {
    const { rows } = await this.#db.query<{ id: string; isInBucket: boolean }>(
      // From here on nothing can attach them.
      `update blob set unattached_since = '-infinity' where id = any ($1::uuid[]) and unattached_since is not null
       returning id, is_in_bucket`,
      [ids],
    );
    const inBucket = rows.filter(({ isInBucket }) => isInBucket).map(({ id }) => id);
    const inChunks = rows.filter(({ isInBucket }) => !isInBucket).map(({ id }) => id);
    if (inBucket.length > 0) await this.#needBucket().delete(inBucket);
    if (inChunks.length > 0) await this.#chunks.delete(inChunks);
    await this.#db.query("delete from blob where id = any ($1::uuid[]) and unattached_since = '-infinity'", [ids]);
  }

  #needSegments(): SegmentBacking {
    if (this.#segments) return this.#segments;
    throw new Outage("blob store", { operator: "this blob is in a file under the DATA_DIR of another process" });
  }

  #needBucket(): ListedBacking {
    if (this.#bucket) return this.#bucket;
    throw new Outage("blob store", { operator: "this blob is in a bucket, and S3_BUCKET is not set" });
  }
}

async function insertWhole(tx: Transaction, blobs: readonly { id: string; bytes: Buffer }[]): Promise<void> {
  if (blobs.length === 0) return;
  await tx.copyRows(
    "blob (id, size_bytes, bytes)",
    blobs.map(({ id, bytes }) => [uuidBytes(id), int64(bytes.length), bytes]),
  );
}

/** What was written ahead is there already: it only becomes part of what the transaction does. */
async function attachWritten(tx: Transaction, prepared: readonly PreparedBlob[]): Promise<void> {
  const { rowCount } = await tx.query(
    `update blob set unattached_since = null, size_bytes = given.size_bytes
     from ${writtenBlobs.from("given")}
     where blob.id = given.id and unattached_since > '-infinity'`,
    writtenBlobs.params(prepared),
    { name: "attach written blobs" },
  );
  if (rowCount === prepared.length) return;
  throw new Outage("blob store", { operator: `a blob was not attached within ${orphanAge} and has been swept` });
}

/** The rest is let go with it. */
async function* joined(
  read: readonly Buffer[],
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* read;
    yield* rest;
  } finally {
    await rest.return();
  }
}
