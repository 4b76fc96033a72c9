import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { blobsConfig, createBlobStore } from "../../../services/platform/blobs/blob-store.ts";
import { chunkBytes } from "../../../services/platform/blobs/chunks.ts";
import type { BlobStore } from "../../../services/platform/blobs/types.ts";
import { loadConfig } from "../../../services/platform/config.ts";
import { newId } from "../../../services/platform/ids.ts";
import { patterned, pieces } from "../../support/bytes.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../support/peers/database.ts";
import { testS3 } from "../../support/peers/s3.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

let database: TestDatabase;
let s3: Awaited<ReturnType<typeof testS3>>;
beforeAll(async () => {
  [database, s3] = await Promise.all([testDatabase({ schema: "ingress" }), testS3()]);
}, peerInstallLimitMs);
afterAll(async () => {
  await database.dispose();
  await s3.dispose();
});

describe.each(["PostgreSQL", "S3"])("blobs in %s", (kind) => {
  let blobs: BlobStore;
  beforeAll(() => {
    const config = loadConfig(blobsConfig, kind === "S3" ? s3.config : {});
    blobs = createBlobStore({ db: database, config, logger: silentLogger });
  });

  test("any bytes in any pieces come back exactly", async () => {
    const sizes = fc.oneof(
      fc.constantFrom(0, 1),
      fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -1, max: 1 })).map(([n, off]) => n * chunkBytes + off),
      fc.integer({ min: 0, max: 6 * chunkBytes }),
    );
    const property = fc.asyncProperty(sizes, fc.integer({ min: 1, max: 3 * chunkBytes }), async (size, pieceSize) => {
      const bytes = patterned(size);
      const prepared = await blobs.prepare(pieces(bytes, pieceSize));
      expect(prepared.sizeBytes).toBe(size);
      await database.tx((tx) => blobs.attach(tx, [prepared]));
      expect((await buffer(await blobs.open(prepared.id))).equals(bytes)).toBe(true);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test("small and large ones are attached together, and go together", async () => {
    const contents = [0, 10, chunkBytes, chunkBytes + 1, 3 * chunkBytes].map(patterned);
    const prepared = await Promise.all(contents.map((bytes) => blobs.prepare(pieces(bytes, 10_000))));
    const ids = prepared.map(({ id }) => id);
    await database.tx((tx) => blobs.attach(tx, prepared));
    for (const [index, id] of ids.entries()) {
      expect(contents[index]?.equals(await buffer(await blobs.open(id)))).toBe(true);
    }
    await database.tx((tx) => blobs.remove(tx, ids));
    for (const id of ids) await expect(blobs.open(id)).rejects.toMatchObject({ kind: "NotFound" });
  });

  test("what a rolled back transaction attached is not there", async () => {
    const small = await blobs.prepare(pieces(patterned(10), 10));
    const large = await blobs.prepare(pieces(patterned(2 * chunkBytes), 10_000));
    const attempt = database.tx(async (tx) => {
      await blobs.attach(tx, [small, large]);
      throw new Error("no");
    });
    await expect(attempt).rejects.toThrow("no");
    for (const { id } of [small, large]) await expect(blobs.open(id)).rejects.toMatchObject({ kind: "NotFound" });
    // As it did not happen, it can be done again.
    await database.tx((tx) => blobs.attach(tx, [small, large]));
    expect((await buffer(await blobs.open(large.id))).length).toBe(2 * chunkBytes);
  });

  test("an unknown id, or none at all, is not found", async () => {
    for (const id of [newId(), "", "x'; drop table blob"]) {
      await expect(blobs.open(id)).rejects.toMatchObject({ kind: "NotFound", status: 404 });
    }
  });
});

test("what comes in one piece is not copied, unless it would hold on to far more memory", async () => {
  const blobs = createBlobStore({ db: database, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  const memory = Buffer.from(new ArrayBuffer(64 * 1024));
  const [whole, part] = [memory, memory.subarray(10, 20)];
  expect((await blobs.prepare(Readable.from([whole]))).bytes?.buffer).toBe(memory.buffer);
  const copied = await blobs.prepare(Readable.from([part]));
  expect(copied).toMatchObject({ sizeBytes: 10, bytes: part });
  expect(copied.bytes?.buffer.byteLength).toBe(10);
});

test("bytes that are read soon are not read back from the database so often, or for so long", async () => {
  const blobs = createBlobStore({ db: database, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  const contents = [10, 20 * 1024, chunkBytes].map(patterned);
  const prepared = await Promise.all(contents.map((bytes) => blobs.prepare(pieces(bytes, 10_000))));
  const ids = prepared.map(({ id }) => id);
  await database.tx((tx) => blobs.attach(tx, prepared, { expectedReads: [2, 2, 2] }));
  await database.query("update blob set bytes = 'others' where id = any ($1::uuid[])", [ids]);
  for (const [index, id] of ids.entries()) {
    expect(contents[index]?.equals(await buffer(await blobs.open(id)))).toBe(true);
    expect(contents[index]?.equals(await buffer(await blobs.open(id.toUpperCase())))).toBe(true);
    expect((await buffer(await blobs.open(id))).toString()).toBe("others");
  }
  const later = await blobs.prepare(pieces(patterned(10), 10));
  await database.tx((tx) => blobs.attach(tx, [later], { expectedReads: [2] }));
  // As another process does it.
  await database.query("delete from blob where id = any ($1::uuid[])", [[...ids, later.id]]);
  for (const id of ids) await expect(blobs.open(id)).rejects.toMatchObject({ kind: "NotFound" });
  expect(patterned(10).equals(await buffer(await blobs.open(later.id)))).toBe(true);
  const now = performance.now();
  const clock = jest.spyOn(performance, "now").mockReturnValue(now + 5_000);
  await expect(blobs.open(later.id)).rejects.toMatchObject({ kind: "NotFound" });
  clock.mockRestore();
});

test("bytes that are read soon are gone from memory with their removal", async () => {
  const blobs = createBlobStore({ db: database, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  const blob = await blobs.prepare(pieces(patterned(10), 10));
  await database.tx((tx) => blobs.attach(tx, [blob], { expectedReads: [2] }));
  await database.tx((tx) => blobs.remove(tx, [blob.id]));
  await expect(blobs.open(blob.id)).rejects.toMatchObject({ kind: "NotFound" });
});
