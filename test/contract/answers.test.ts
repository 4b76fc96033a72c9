import { readdir } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { endpoints } from "../../services/rest/endpoints.ts";

/** Beside the endpoints' folders: what they share, what is sent to all of them, and the graph's own. */
const others = ["support", "bad-input", "graph"];

/** A folder here is named as the endpoint's file. */
const folderOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const entries = await readdir(import.meta.dirname, { withFileTypes: true });
const folders = entries.filter((entry) => entry.isDirectory() && !others.includes(entry.name)).map(({ name }) => name);

test("every endpoint has its folder, and there is no other", () => {
  expect(folders.sort()).toEqual(endpoints.map(({ name }) => folderOf(name)).sort());
});

test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  "every status that %s declares has its file, and no other",
  async (name, { answers }) => {
    const files = await readdir(`${import.meta.dirname}/${folderOf(name)}`);
    expect(files.sort()).toEqual(Object.keys(answers).map((status) => `${status}.test.ts`));
  },
);
