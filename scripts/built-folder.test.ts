import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { buildFolder } from "./built-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-built-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a folder is built once for what it is made of, whole, and nothing is left beside it", async () => {
  const dist = join(folder, "dist");
  const build = (content: string) => (aside: string) => writeFile(join(aside, "page.html"), content);
  await buildFolder(dist, "1", build("one"));
  await buildFolder(dist, "1", build("not built"));
  expect(await readFile(join(dist, "page.html"), "utf8")).toBe("one");
  await buildFolder(dist, "2", build("two"));
  expect(await readFile(join(dist, "page.html"), "utf8")).toBe("two");
  const failing = () => Promise.reject(new Error("it fails"));
  await expect(buildFolder(dist, "3", failing)).rejects.toThrow("it fails");
  expect(await readdir(folder)).toEqual(["dist"]);
});

test("every user may read what was built: in an image another one serves it", async () => {
  const dist = join(folder, "dist");
  await buildFolder(dist, "1", async () => undefined);
  expect((await stat(dist)).mode & 0o777).toBe(0o755);
});
