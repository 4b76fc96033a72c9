import { readdir, readlink, stat } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { blobsConfig, createBlobStore } from "../../../services/platform/blobs/blob-store.ts";
import { loadConfig } from "../../../services/platform/config.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../support/peers/database.ts";
import { testS3 } from "../../support/peers/s3.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

const mebibyte = 1024 * 1024;
const sizeBytes = 48 * mebibyte;
const pieceBytes = 100_000;

let database: TestDatabase;
let s3: Awaited<ReturnType<typeof testS3>>;
beforeAll(async () => {
  [database, s3] = await Promise.all([testDatabase({ schema: "ingress" }), testS3()]);
}, peerInstallLimitMs);
afterAll(async () => {
  await database.dispose();
  await s3.dispose();
});

/** A source that notes, each time it is asked for more, how much of what it gave has not been put down yet. */
async function* counted(putDown: () => Promise<number>, held: number[]): AsyncGenerator<Buffer> {
  for (let given = 0; given < sizeBytes; given += pieceBytes) {
    held.push(given - (await putDown()));
    yield Buffer.alloc(Math.min(pieceBytes, sizeBytes - given), given % 251);
  }
}

test("of a large message PostgreSQL has all but 1 MiB before more is read", async () => {
  const blobs = createBlobStore({ db: database, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  const held: number[] = [];
  const written = async () => {
    const { rows } = await database.query<{ bytes: number }>(
      "select coalesce(sum(length(bytes)), 0)::bigint as bytes from blob_chunk",
    );
    return rows[0]?.bytes ?? 0;
  };
  const prepared = await blobs.prepare(counted(written, held));
  expect(prepared.sizeBytes).toBe(sizeBytes);
  expect(Math.max(...held)).toBeLessThanOrEqual(mebibyte);
});

test("of a large message for S3 all but 1 MiB is on disk before more is read, in a file without a name", async () => {
  const blobs = createBlobStore({ db: database, config: loadConfig(blobsConfig, s3.config), logger: silentLogger });
  const held: number[] = [];
  const prepared = await blobs.prepare(counted(spooledBytes, held));
  expect(prepared.sizeBytes).toBe(sizeBytes);
  expect(Math.max(...held)).toBeLessThanOrEqual(1.5 * mebibyte);
  expect(await spooledBytes()).toBe(0);
});

/** What this process holds in files that have been removed: /proc tells (proc_pid_fd(5)). */
async function spooledBytes(): Promise<number> {
  const descriptors = await readdir("/proc/self/fd");
  const sizes = descriptors.map(async (descriptor) => {
    const path = `/proc/self/fd/${descriptor}`;
    const target = await readlink(path).catch(() => "");
    return /postern-blob-.*\(deleted\)$/.test(target) ? (await stat(path)).size : 0;
  });
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}

test("a large message is read at the reader's pace", async () => {
  const blobs = createBlobStore({ db: database, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  const prepared = await blobs.prepare(counted(async () => 0, []));
  await database.tx((tx) => blobs.attach(tx, [prepared]));
  const stream = await blobs.open(prepared.id);
  let read = 0;
  for await (const piece of stream) {
    read += piece.length;
    expect(stream.readableLength).toBeLessThanOrEqual(mebibyte);
  }
  expect(read).toBe(sizeBytes);
});
