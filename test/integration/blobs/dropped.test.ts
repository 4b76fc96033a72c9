import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { blobsConfig, createBlobStore } from "../../../services/platform/blobs/blob-store.ts";
import { chunkBytes } from "../../../services/platform/blobs/chunks.ts";
import { type BlobStore, BlobTooLarge } from "../../../services/platform/blobs/types.ts";
import { loadConfig } from "../../../services/platform/config.ts";
import { Outage } from "../../../services/platform/errors.ts";
import { patterned, pieces } from "../../support/bytes.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../support/peers/database.ts";
import { testS3 } from "../../support/peers/s3.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

const large = patterned(3 * chunkBytes);
let database: TestDatabase;
let s3: Awaited<ReturnType<typeof testS3>>;
beforeAll(async () => {
  [database, s3] = await Promise.all([testDatabase({ schema: "ingress" }), testS3()]);
}, peerInstallLimitMs);
afterEach(async () => {
  await database.query("truncate blob, blob_chunk");
  await rm(join(s3.bucketFolder, "ingress"), { recursive: true, force: true });
});
afterAll(async () => {
  await database.dispose();
  await s3.dispose();
});

/** Everything that is kept anywhere: rows, chunks, objects. */
async function traces(): Promise<{ rows: number; chunks: number; objects: number }> {
  const { rows } = await database.query<{ rows: number; chunks: number }>(
    "select (select count(*) from blob) as rows, (select count(*) from blob_chunk) as chunks",
  );
  const objects = await readdir(join(s3.bucketFolder, "ingress")).catch(() => []);
  return { rows: rows[0]?.rows ?? -1, chunks: rows[0]?.chunks ?? -1, objects: objects.length };
}
const nothing = { rows: 0, chunks: 0, objects: 0 };

/** As if it had been prepared, or removed, that long ago. */
async function age(interval: string): Promise<void> {
  await database.query("update blob set unattached_since = unattached_since - $1::interval", [interval]);
}

describe.each(["PostgreSQL", "S3"])("blobs in %s", (kind) => {
  let blobs: BlobStore;
  beforeAll(() => {
    const config = loadConfig(blobsConfig, kind === "S3" ? s3.config : {});
    blobs = createBlobStore({ db: database, config, logger: silentLogger });
  });

  test.each([10, chunkBytes, chunkBytes + 1, 3 * chunkBytes - 1])(
    "over a limit of %d bytes nothing is kept",
    async (limitBytes) => {
      const attempt = blobs.prepare(pieces(patterned(limitBytes + 1), 7_000), { limitBytes });
      await expect(attempt).rejects.toBeInstanceOf(BlobTooLarge);
      expect(await traces()).toEqual(nothing);
    },
  );

  test("at the limit it is kept", async () => {
    const prepared = await blobs.prepare(pieces(large, 7_000), { limitBytes: large.length });
    expect(prepared.sizeBytes).toBe(large.length);
    await blobs.discard(prepared);
  });

  test("a source that fails leaves nothing, and its own error", async () => {
    const fault = new Error("client gone");
    async function* failing(): AsyncGenerator<Buffer> {
      yield* pieces(large, 50_000);
      throw fault;
    }
    await expect(blobs.prepare(failing())).rejects.toBe(fault);
    expect(await traces()).toEqual(nothing);
  });

  test("a source that was begun is let go when the database fails", async () => {
    let [isBegun, isClosed] = [false, false];
    async function* watched(): AsyncGenerator<Buffer> {
      isBegun = true;
      try {
        yield* pieces(large, 50_000);
      } finally {
        isClosed = true;
      }
    }
    await database.query("alter table blob rename to blob_elsewhere");
    try {
      await expect(blobs.prepare(watched())).rejects.toMatchObject({ sqlState: "42P01" });
    } finally {
      await database.query("alter table blob_elsewhere rename to blob");
    }
    expect(isClosed).toBe(isBegun);
  });

  test("what is discarded is gone at once", async () => {
    for (const bytes of [patterned(10), large]) await blobs.discard(await blobs.prepare(pieces(bytes, 50_000)));
    expect(await traces()).toEqual(nothing);
  });

  test("what was attached cannot be discarded", async () => {
    const prepared = await blobs.prepare(pieces(large, 50_000));
    await database.tx((tx) => blobs.attach(tx, [prepared]));
    await blobs.discard(prepared);
    await blobs.sweep();
    expect((await blobs.open(prepared.id)).destroy().destroyed).toBe(true);
  });

  test("what was never attached is swept after an hour, and cannot be attached then", async () => {
    const prepared = await blobs.prepare(pieces(large, 50_000));
    await age("59 minutes");
    await blobs.sweep();
    expect(await traces()).not.toEqual(nothing);
    await age("1 minute");
    await blobs.sweep();
    expect(await traces()).toEqual(nothing);
    await expect(database.tx((tx) => blobs.attach(tx, [prepared]))).rejects.toBeInstanceOf(Outage);
  });

  test("what was removed leaves nothing", async () => {
    const all = await Promise.all([patterned(10), large].map((bytes) => blobs.prepare(pieces(bytes, 50_000))));
    const ids = all.map(({ id }) => id);
    await database.tx((tx) => blobs.attach(tx, all));
    await database.tx((tx) => blobs.remove(tx, ids));
    await blobs.sweep();
    expect(await traces()).toEqual(nothing);
  });
});

test("with the bucket out of reach it is an outage, nothing is kept, and the sweep goes on when it is back", async () => {
  const config = loadConfig(blobsConfig, s3.config);
  const blobs = createBlobStore({ db: database, config, logger: silentLogger });
  const kept = await blobs.prepare(pieces(large, 50_000));
  await database.tx((tx) => blobs.attach(tx, [kept]));

  await s3.stop();
  await expect(blobs.prepare(pieces(patterned(10), 10))).rejects.toBeInstanceOf(Outage);
  await expect(blobs.open(kept.id)).rejects.toBeInstanceOf(Outage);
  await database.tx((tx) => blobs.remove(tx, [kept.id]));
  await expect(blobs.sweep()).rejects.toBeInstanceOf(Outage);

  await s3.start();
  await blobs.sweep();
  expect(await traces()).toEqual(nothing);
});

test("what was kept in the schema is still read with a bucket, and the other way it is said what is missing", async () => {
  const inSchema = createBlobStore({ db: database, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  const inBucket = createBlobStore({ db: database, config: loadConfig(blobsConfig, s3.config), logger: silentLogger });
  const [here, there] = await Promise.all([inSchema, inBucket].map((blobs) => blobs.prepare(pieces(large, 50_000))));
  if (!here || !there) throw new Error("not prepared");
  await database.tx((tx) => inSchema.attach(tx, [here, there]));
  expect((await inBucket.open(here.id)).destroy().destroyed).toBe(true);
  await expect(inSchema.open(there.id)).rejects.toMatchObject({
    operatorMessage: expect.stringContaining("S3_BUCKET"),
  });
});
