import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { blobsConfig, createBlobStore } from "../../../services/platform/blobs/blob-store.ts";
import type { BlobStore, Found } from "../../../services/platform/blobs/types.ts";
import { loadConfig } from "../../../services/platform/config.ts";
import { hourMs, minuteMs } from "../../../services/platform/durations.ts";
import { Outage } from "../../../services/platform/errors.ts";
import { firstIdAt } from "../../../services/platform/ids.ts";
import { patterned, pieces } from "../../support/bytes.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../support/peers/database.ts";
import { testS3 } from "../../support/peers/s3.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

let database: TestDatabase;
let s3: Awaited<ReturnType<typeof testS3>>;
let blobs: BlobStore;
let folder: string;
beforeAll(async () => {
  [database, s3] = await Promise.all([testDatabase({ schema: "ingress" }), testS3()]);
  blobs = createBlobStore({ db: database, config: loadConfig(blobsConfig, s3.config), logger: silentLogger });
  folder = join(s3.bucketFolder, "ingress");
}, peerInstallLimitMs);
afterEach(async () => {
  await database.query("truncate blob, blob_chunk");
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await database?.dispose();
  await s3?.dispose();
});

const soon = () => new Date(Date.now() + hourMs);
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs);

/** The id of something that was made so many minutes ago. */
const idOf = (minutes: number) => firstIdAt(ago(minutes));

async function prepared() {
  return blobs.prepare(pieces(patterned(100), 100));
}

async function attached(): Promise<string> {
  const blob = await prepared();
  await database.tx((tx) => blobs.attach(tx, [blob]));
  return blob.id;
}

/** An object as it lies in the bucket, which the store says was written when its id was made. */
async function putObject(name: string, minutes: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), "bytes");
  await utimes(join(folder, name), ago(minutes), ago(minutes));
}

async function all<T>(ask: (after: string | null) => Promise<Found<T>>): Promise<T[]> {
  const found: T[] = [];
  for (let after: string | null = null; ; ) {
    const page: Found<T> = await ask(after);
    found.push(...page.found);
    if (page.next === null) return found;
    after = page.next;
  }
}

const lost = (before = soon()) => all((after) => blobs.lostBlobs({ after, before }));
const strays = async (before = soon(), areDeleted = false) =>
  (await all((after) => blobs.strayObjects({ after, before, areDeleted }))).map(({ id }) => id);

test("only what is attached and has no object is lost", async () => {
  const [kept, gone, removed] = [await attached(), await attached(), await attached()];
  const ahead = await prepared();
  await database.tx((tx) => blobs.remove(tx, [removed]));
  expect(await lost()).toEqual([]);
  for (const id of [gone, removed, ahead.id]) await rm(join(folder, id));
  expect(await lost()).toEqual([gone]);
  expect(await lost(ago(1))).toEqual([]);
  // Nothing is deleted for it, and once it is back it is not lost.
  await putObject(gone, 0);
  expect(await lost()).toEqual([]);
  expect((await blobs.open(kept)).destroy().destroyed).toBe(true);
});

test("objects that no row knows are stray once they are old, and only they are deleted", async () => {
  const kept = await attached();
  const ahead = await prepared();
  const [old, young] = [idOf(90), idOf(30)];
  await putObject(old, 90);
  await putObject(young, 30);
  // Copied there a moment ago, as by who brings objects back.
  const copied = idOf(120);
  await putObject(copied, 0);
  await putObject("a note of somebody's", 90);
  expect(await strays()).toEqual([copied, old, young]);
  expect(await strays(ago(60), true)).toEqual([old]);
  expect((await readdir(folder)).sort()).toEqual([copied, young, kept, ahead.id, "a note of somebody's"].sort());
  // And what comes in at that moment goes on.
  expect(await strays(soon(), true)).toEqual([copied, young]);
  await database.tx((tx) => blobs.attach(tx, [ahead]));
  for (const id of [kept, ahead.id]) expect((await blobs.open(id)).destroy().destroyed).toBe(true);
});

test("more than one answer of the store holds", async () => {
  const ids = Array.from({ length: 2_300 }, (_, at) => idOf(10_000 - at));
  await database.query("insert into blob (id, size_bytes, is_in_bucket) select unnest($1::uuid[]), 5, true", [
    ids.filter((_, at) => at % 2 === 0),
  ]);
  // Every third object is gone; of what is there, every second has no row.
  for (const [at, id] of ids.entries()) if (at % 3 !== 0) await putObject(id, 10_000 - at);
  expect(await lost()).toEqual(ids.filter((_, at) => at % 2 === 0 && at % 3 === 0));
  const stray = ids.filter((_, at) => at % 2 !== 0 && at % 3 !== 0);
  expect(await strays()).toEqual(stray);
  expect(await strays(soon(), true)).toEqual(stray);
  expect(await strays()).toEqual([]);
});

test("with the bucket out of reach, or without its name, it is an outage, never a loss", async () => {
  await attached();
  const unnamed = createBlobStore({ db: database, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  await expect(unnamed.lostBlobs({ after: null, before: soon() })).rejects.toBeInstanceOf(Outage);
  await s3.stop();
  try {
    await expect(lost()).rejects.toBeInstanceOf(Outage);
    await expect(strays()).rejects.toBeInstanceOf(Outage);
  } finally {
    await s3.start();
  }
  expect(await lost()).toEqual([]);
});
