import { readFile, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { blobsConfig, createBlobStore } from "../../../services/platform/blobs/blob-store.ts";
import { loadConfig } from "../../../services/platform/config.ts";
import { hourMs } from "../../../services/platform/durations.ts";
import { Outage } from "../../../services/platform/errors.ts";
import { patterned, pieces } from "../../support/bytes.ts";
import { silentLogger } from "../../support/peers/database.ts";
import { frameBytes, sizeBytes, storeForEachTest } from "../support/segmented-store.ts";

const current = storeForEachTest();

test("what is large enough lies in a segment, together with what is not in one transaction, and is read from there", async () => {
  const store = current();
  const sizes = [0, 10, 64 * 1024 - 1, 64 * 1024, sizeBytes, 256 * 1024, 256 * 1024 + 1];
  const prepared = await Promise.all(sizes.map((size) => store.blobs.prepare(pieces(patterned(size), 9_000))));
  await store.database.tx((tx) => store.blobs.attach(tx, prepared, { expectedReads: sizes.map(() => 1) }));
  const segments = await Promise.all(prepared.map(({ id }) => store.segmentOf(id)));
  expect(segments).toEqual([null, null, null, 1, 1, 1, null]);
  await store.startAgain();
  for (const { id, sizeBytes: size } of prepared) await store.expectWhole(id, size);
  expect(await store.damaged()).toEqual([]);
  await store.remove(...prepared.map(({ id }) => id));
  for (const { id } of prepared) await expect(store.blobs.open(id)).rejects.toMatchObject({ kind: "NotFound" });
});

test("the sweep leaves alone what is in a segment", async () => {
  const store = current();
  const id = await store.attached();
  const ahead = await store.blobs.prepare(pieces(patterned(300 * 1024), 10_000));
  await store.database.query("update blob set unattached_since = now() - interval '2 hours' where id = $1", [ahead.id]);
  await store.blobs.sweep();
  await store.startAgain();
  await store.expectWhole(id);
  expect(await store.segmentOf(ahead.id)).toBeUndefined();
});

test("what is kept for long is in its row", async () => {
  const store = current();
  const blob = await store.blobs.prepare(pieces(patterned(sizeBytes), 10_000));
  await store.database.tx((tx) => store.blobs.attach(tx, [blob]));
  expect(await store.segmentOf(blob.id)).toBeNull();
});

test("what arrives at the same time shares a flush", async () => {
  const store = current();
  const ids = await Promise.all(Array.from({ length: 20 }, () => store.attached()));
  await store.startAgain();
  for (const id of ids) await store.expectWhole(id);
  expect(await store.folder.size(1)).toBe(20 * frameBytes);
});

test("a segment goes once it takes no more and no row speaks of it; until then it stays", async () => {
  const store = current();
  const first = await store.attached();
  await store.upkeep.removeUnneeded();
  await store.remove(first);
  await store.upkeep.removeUnneeded();
  // It is still written to.
  expect(await store.folder.numbers()).toEqual([1]);
  const kept = await store.attached();
  await store.startAgain();
  await store.attached();
  await store.upkeep.removeUnneeded();
  expect(await store.folder.numbers()).toEqual([1, 2]);
  await store.remove(kept);
  await store.upkeep.removeUnneeded();
  expect(await store.folder.numbers()).toEqual([2]);
});

test("a segment whose rows are about to be committed is not removed", async () => {
  const store = current();
  const blob = await store.blobs.prepare(pieces(patterned(sizeBytes), 10_000));
  await store.database.tx(async (tx) => {
    await store.blobs.attach(tx, [blob], { expectedReads: [1] });
    // It is full meanwhile.
    while ((await store.folder.numbers()).length < 2) await store.attached(256 * 1024);
    await store.database.query("delete from blob where id <> $1", [blob.id]);
    await store.upkeep.removeUnneeded();
  });
  await store.upkeep.removeUnneeded();
  expect(await store.folder.numbers()).toEqual([1, 2]);
  await store.startAgain();
  await store.expectWhole(blob.id);
});

test("at the start, what no row speaks of is cut off, and segments without rows go", async () => {
  const store = current();
  const kept = await store.attached();
  const rolledBack = await store.blobs.prepare(pieces(patterned(sizeBytes), 10_000));
  const attempt = store.database.tx(async (tx) => {
    await store.blobs.attach(tx, [rolledBack], { expectedReads: [1] });
    throw new Error("killed before the commit");
  });
  await expect(attempt).rejects.toThrow("killed");
  expect(await store.folder.size(1)).toBe(2 * frameBytes);
  await (await store.folder.create(7)).close();
  await store.startAgain();
  expect(await store.folder.numbers()).toEqual([1]);
  expect(await store.folder.size(1)).toBe(frameBytes);
  await store.expectWhole(kept);
  // Numbers are never used again.
  expect(await store.segmentOf(await store.attached())).toBe(8);
});

test("what names no segment in the folder is left alone", async () => {
  const store = current();
  const id = await store.attached();
  const note = store.path("note.segment");
  await writeFile(note, "somebody's");
  await store.startAgain();
  await store.upkeep.removeUnneeded();
  expect(await readFile(note, "utf8")).toBe("somebody's");
  await store.expectWhole(id);
});

test("switched off, everything moves into the rows at once, and nothing new comes", async () => {
  const store = current();
  const ids = [await store.attached(), await store.attached()];
  await store.startAgain({ isWritten: false });
  await store.moveOld();
  await store.upkeep.removeUnneeded();
  expect(await store.folder.numbers()).toEqual([]);
  for (const id of [...ids, await store.attached()]) {
    expect(await store.segmentOf(id)).toBeNull();
    await store.expectWhole(id);
  }
});

test("what moves while it is opened is read where it is now", async () => {
  const store = current();
  const id = await store.attached();
  await store.startAgain({ isWritten: false });
  const [read] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, async () => buffer(await store.blobs.open(id)))),
    store.moveOld().then(() => store.upkeep.removeUnneeded()),
  ]);
  for (const bytes of read) expect(bytes.equals(patterned(sizeBytes))).toBe(true);
});

test("a process without the files says that, and not that nothing is there", async () => {
  const store = current();
  const id = await store.attached();
  const without = createBlobStore({ db: store.database, config: loadConfig(blobsConfig, {}), logger: silentLogger });
  await expect(without.open(id)).rejects.toMatchObject({ kind: "Unavailable" });
  await expect(without.lostBlobs({ after: null, before: new Date(Date.now() + hourMs) })).rejects.toBeInstanceOf(
    Outage,
  );
});
