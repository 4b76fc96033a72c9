import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { secretKeyUnder } from "./secret-key-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-secret-key-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a key is made once, for its owner alone, however many ask at the same moment", async () => {
  const dataDir = join(folder, "data");
  const keys = await Promise.all(Array.from({ length: 20 }, () => secretKeyUnder(dataDir)));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[\w-]{43}$/);
  expect(await readdir(dataDir)).toEqual(["secret-key"]);
  expect((await stat(join(dataDir, "secret-key"))).mode & 0o777).toBe(0o600);
  expect(await secretKeyUnder(dataDir)).toBe(keys[0]);
});

test("beside a database a key that is missing is asked for, and no other takes its place", async () => {
  await mkdir(join(folder, "postgres/data"), { recursive: true });
  await writeFile(join(folder, "postgres/data/PG_VERSION"), "18\n");
  await expect(secretKeyUnder(folder)).rejects.toMatchObject({
    name: "ConfigurationError",
    faults: [expect.stringMatching(/^SECRET_KEY: .*\/secret-key is missing/)],
  });
  expect(await readdir(folder)).toEqual(["postgres"]);
});

test("a file without a key in it, as a full disk may leave it, is no key", async () => {
  await writeFile(join(folder, "secret-key"), "\n");
  await expect(secretKeyUnder(folder)).rejects.toMatchObject({
    name: "ConfigurationError",
    faults: [expect.stringMatching(/^SECRET_KEY: .*\/secret-key is empty/)],
  });
  expect(await readFile(join(folder, "secret-key"), "utf8")).toBe("\n");
});
