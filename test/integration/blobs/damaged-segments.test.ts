import {
  type FileHandle,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { DamagedFrame, frameHeadBytes } from "../../../services/platform/blobs/segments/frames.ts";
import { Outage } from "../../../services/platform/errors.ts";
import { frameBytes, storeForEachTest } from "../support/segmented-store.ts";

const current = storeForEachTest();

/** Through which all files are flushed. */
async function flushes() {
  const file = await open(tmpdir(), "r");
  await file.close();
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  return { prototype, flush: prototype.datasync, sync: prototype.sync };
}

test("cut anywhere, the whole frames are read, and the others are named", async () => {
  const store = current();
  const [first, second] = [await store.attached(), await store.attached()];
  for (const size of [2 * frameBytes - 1, frameBytes + frameHeadBytes, frameBytes + 1, frameBytes]) {
    await truncate(store.path(1), size);
    await store.startAgain();
    await store.expectWhole(first);
    expect(await store.damaged()).toEqual([second]);
    await expect(store.blobs.open(second)).rejects.toBeInstanceOf(DamagedFrame);
  }
  await rm(store.path(1));
  await store.startAgain();
  expect(await store.damaged()).toEqual([first, second].sort());
  expect(await store.segmentOf(await store.attached())).toBe(2);
});

test("no octet changes unseen", async () => {
  const store = current();
  const id = await store.attached();
  await store.startAgain();
  for (const at of [0, 5, 10, 26, frameHeadBytes, frameBytes - 1]) {
    const file = await open(store.path(1), "r+");
    const { buffer: octet } = await file.read(Buffer.alloc(1), 0, 1, at);
    await file.write(Buffer.from([(octet[0] ?? 0) ^ 1]), 0, 1, at);
    await expect(store.blobs.open(id)).rejects.toBeInstanceOf(DamagedFrame);
    expect(await store.damaged()).toEqual([id]);
    await file.write(octet, 0, 1, at);
    await file.close();
    await store.expectWhole(id);
  }
});

test("what stays for long moves into the rows, except what is damaged, and its segment goes", async () => {
  const store = current();
  const [whole, other] = [await store.attached(), await store.attached()];
  await store.startAgain();
  await store.moveOld();
  expect(await store.segmentOf(whole)).toBe(1);
  await store.age(1, 13);
  await truncate(store.path(1), 2 * frameBytes - 1);
  await store.age(1, 13);
  await store.moveOld();
  expect(await store.segmentOf(whole)).toBeNull();
  expect(await store.damaged()).toEqual([other]);
  await store.expectWhole(whole);
  await store.remove(other);
  await store.upkeep.removeUnneeded();
  expect(await readdir(store.path(""))).toEqual([]);
  await store.expectWhole(whole);
});

test("what was erased beside a damaged message goes as well", async () => {
  const store = current();
  const ids = [await store.attached(), await store.attached(), await store.attached()];
  await store.startAgain();
  await store.remove(...ids.slice(0, 1));
  const file = await open(store.path(1), "r+");
  await file.write("damaged", frameBytes + 500);
  await file.close();
  const before = await readFile(store.path(1));
  await store.age(1, 13);
  await store.moveOld();
  const after = await readFile(store.path(1));
  const [erased, damagedFrame] = [before.subarray(0, frameBytes), before.subarray(frameBytes, 2 * frameBytes)];
  expect(after.equals(Buffer.concat([Buffer.alloc(erased.length), damagedFrame]))).toBe(true);
  expect(await store.damaged()).toEqual([ids[1]]);
  await store.expectWhole(ids[2] ?? "");
  // What a kill has left of the same.
  await writeFile(`${store.path(1)}.anew`, "part");
  await store.startAgain();
  expect(await readdir(store.path(""))).toEqual(["0000000001.segment"]);
});

test("a disk that does not read is damage, and too many open files are not", async () => {
  const store = current();
  const id = await store.attached();
  await store.startAgain();
  const opened = store.folder.open.bind(store.folder);
  const failing = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };
  store.folder.open = failing("EMFILE");
  await expect(store.blobs.open(id)).rejects.toBeInstanceOf(Outage);
  await expect(store.blobs.open(id)).rejects.not.toBeInstanceOf(DamagedFrame);
  await expect(store.damaged()).rejects.toBeInstanceOf(Outage);
  store.folder.open = failing("EIO");
  await expect(store.blobs.open(id)).rejects.toBeInstanceOf(DamagedFrame);
  expect(await store.damaged()).toEqual([id]);
  store.folder.open = opened;
  await store.expectWhole(id);
});

test("a segment whose file is just made is not taken for one that nobody needs", async () => {
  const store = current();
  const [made, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [create, numbers] = [store.folder.create.bind(store.folder), store.folder.numbers.bind(store.folder)];
  store.folder.create = async (number) => {
    const file = await create(number);
    made.resolve();
    await removed.promise;
    return file;
  };
  store.folder.numbers = async () => {
    await made.promise;
    return numbers();
  };
  const removal = store.upkeep.removeUnneeded().then(removed.resolve);
  const id = await store.attached();
  await removal;
  expect(await numbers()).toEqual([1]);
  store.folder.numbers = numbers;
  await store.startAgain();
  await store.expectWhole(id);
});

test("after a flush that failed nothing more goes into the segment, it is not flushed again, and it goes soon", async () => {
  const store = current();
  const before = await store.attached();
  const { prototype, flush } = await flushes();
  let count = 0;
  prototype.datasync = async () => {
    count += 1;
    throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  };
  try {
    await expect(store.attached()).rejects.toBeInstanceOf(Outage);
    expect(count).toBe(1);
  } finally {
    prototype.datasync = flush;
  }
  const after = await store.attached();
  expect([await store.segmentOf(before), await store.segmentOf(after)]).toEqual([1, 2]);
  await store.remove(before);
  await store.upkeep.removeUnneeded();
  expect(await store.folder.numbers()).toEqual([2]);
  await store.startAgain();
  await store.expectWhole(after);
});

test("a new segment's folder, and those above, are flushed before anything in it is spoken of", async () => {
  const store = current();
  const flushed: string[] = [];
  const { prototype, sync } = await flushes();
  prototype.sync = async function (this: FileHandle) {
    flushed.push(await readlink(`/proc/self/fd/${this.fd}`));
    return sync.call(this);
  };
  try {
    await store.attached();
  } finally {
    prototype.sync = sync;
  }
  const data = await realpath(join(store.dataDir, "postgres"));
  expect(flushed).toEqual([join(data, "segments", "ingress"), join(data, "segments"), data]);
});
