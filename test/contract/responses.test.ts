import { readdir } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { contractEndpoints } from "../../services/rest/endpoints.ts";
import { posternEndpoints } from "../../services/rest/postern/endpoints.ts";

/** Beside the endpoints' folders: what they share, what is sent to all of them, and the graph's own. */
const others = ["support", "bad-input", "graph", "postern", "api-keys", "password-managers", "extension"];

/** A folder here is named as the endpoint's file. */
const folderOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const entries = await readdir(import.meta.dirname, { withFileTypes: true });
const folders = entries.filter((entry) => entry.isDirectory() && !others.includes(entry.name)).map(({ name }) => name);

test("every endpoint of the contract has its folder, and there is no other", () => {
  expect(folders.sort()).toEqual(contractEndpoints.map(({ name }) => folderOf(name)).sort());
});

test.each(contractEndpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  "every status that %s declares has its file, and no other",
  async (name, { responses }) => {
    const files = await readdir(`${import.meta.dirname}/${folderOf(name)}`);
    expect(files.sort()).toEqual(Object.keys(responses).map((status) => `${status}.test.ts`));
  },
);

test("every endpoint of /api/postern/v1 has its file, and there is no other", async () => {
  const files = await readdir(`${import.meta.dirname}/postern`);
  const expected = [...posternEndpoints.map(({ name }) => `${folderOf(name)}.test.ts`), "frame.test.ts"];
  expect(files.sort()).toEqual(expected.sort());
});
