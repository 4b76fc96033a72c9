import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "./support/accounts.ts";
import { freshAddress } from "./support/bindings.ts";
import { keysPath, rulesPath } from "./support/declared-resources.ts";
import { domainsPath, freshDomain } from "./support/domains.ts";
import { contractInstallation } from "./support/installation.ts";

const example = join(import.meta.dirname, "../../clients/examples/desired-state");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "desired-state-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The example's file, with names that nobody else has in this run. */
async function desiredState(): Promise<{ path: string; address: string }> {
  const address = freshAddress();
  const text = (await readFile(join(example, "desired-state.json"), "utf8"))
    .replaceAll("newsletters@postern.localhost", address)
    .replace("0b9f2c1e-6f0a-4a53-9d3e-0c5b7a1f4e21", randomUUID())
    .replace('"shop.example"', JSON.stringify(freshDomain()));
  const path = join(folder, "desired-state.json");
  await writeFile(path, text);
  return { path, address };
}

async function sync(path: string, credential: Record<string, string>): Promise<string[][]> {
  const { url } = await contractInstallation();
  const env = { PATH: process.env["PATH"], POSTERN_URL: url, ...credential };
  const { stdout } = await promisify(execFile)(process.execPath, [join(example, "sync.mjs"), path], { env });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
}

async function stateOf(person: TestAccount, address: string) {
  const shown = await Promise.all(
    [domainsPath, rulesPath, keysPath].map(async (path) => (await person.ask("GET", path)).body["data"]),
  );
  const { updatedAt: _, ...binding } =
    (await person.ask("GET", `/api/postern/v1/addresses/${address}`)).body["data"] ?? {};
  return [...shown, binding];
}

test("the example makes what its file says; run again, by the API token, it changes nothing", async () => {
  const anna = await newAccount("anna");
  const { path, address } = await desiredState();
  const made = await sync(path, { POSTERN_BEARER: anna.bearer });
  expect(made.map(([what, kind]) => [what, kind])).toEqual([
    ["made", "domains"],
    ["made", "addresses"],
    ["made", "rules"],
    ["made", "keys"],
  ]);
  expect(made[3]?.[3]).toMatch(/^psk_/);
  const before = await stateOf(anna, address);
  expect((await sync(path, { POSTERN_TOKEN: anna.token })).map(([what]) => what)).toEqual(Array(4).fill("there"));
  expect(await stateOf(anna, address)).toEqual(before);
});
