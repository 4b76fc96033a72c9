import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { oneAtATime } from "./once-only.ts";

let folder: string;
let lock: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-once-"));
  lock = join(folder, "lock");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test("what is half done while another is at it is waited for", async () => {
  const steps: string[] = [];
  const looksDone = async () => steps.length > 0;
  const act = async () => {
    steps.push("unpacked");
    await delay(1_000);
    steps.push("set up");
  };
  const first = oneAtATime(lock, looksDone, act);
  while (steps.length === 0) await delay(10);
  await oneAtATime(lock, looksDone, act);
  expect(steps).toEqual(["unpacked", "set up"]);
  await first;
});

test("a lock that nobody alive holds stops nobody", async () => {
  await writeFile(lock, "4194305"); // above the highest process id of Linux
  await oneAtATime(
    lock,
    async () => true,
    async () => undefined,
  );
  let acts = 0;
  await writeFile(lock, "4194305");
  await oneAtATime(
    lock,
    async () => acts > 0,
    async () => {
      acts += 1;
    },
  );
  expect(acts).toBe(1);
});

test("others wait for as long as they are told, and no longer", async () => {
  await writeFile(lock, String(process.pid));
  const waiting = oneAtATime(
    lock,
    async () => false,
    async () => undefined,
    1_000,
  );
  await expect(waiting).rejects.toThrow(/waited .* for somebody else/);
});
