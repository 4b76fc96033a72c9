import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeFolder } from "./files.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-files-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("a folder is made with those above it, by one or by several at once, and made again it stays", async () => {
  const path = join(folder, "above/itself");
  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700)]);
  await makeFolder(path);
  for (const made of [path, join(folder, "above")]) expect((await stat(made)).mode & 0o777).toBe(0o700);
});

test("what keeps a folder from being made is said", async () => {
  await writeFile(join(folder, "file"), "");
  await expect(makeFolder(join(folder, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(join(folder, "file/below/it"))).rejects.toMatchObject({ code: "ENOTDIR" });
});
