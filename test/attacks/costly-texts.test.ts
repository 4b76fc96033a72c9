import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Expectations, evaluate } from "../../services/bindings/domains/records.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";

// A text is made of what an expression has to look through again from each of its characters; while that lasts, the process answers nobody.

/** With a time that goes with the square or the cube of the length each takes a minute or more. */
const patienceMs = 30_000;

let installation: Installation;
let rest: RestClient;

beforeAll(async () => {
  installation = await startInstallation();
  rest = await installation.rest();
}, 180_000);
afterAll(() => installation?.dispose());

async function ask(method: string, path: string, body: unknown) {
  const headers = { token: rest.token, "content-type": "application/json" };
  const response = await fetch(`${installation.url}${path}`, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { id?: number; data?: { id: string } } };
}

async function answered(method: string, path: string, body: unknown): Promise<number> {
  const before = performance.now();
  const { status } = await ask(method, path, body);
  expect(performance.now() - before).toBeLessThan(patienceMs);
  return status;
}

test("blanks in place of a contact", async () => {
  const prefix = { alias_prefix: "costly", signed_suffix: "@postern.localhost" };
  const { body } = await ask("POST", "/api/v3/alias/custom/new", { ...prefix, mailbox_ids: [] });
  const path = `/api/aliases/${body.id}/contacts`;
  expect(await answered("POST", path, { contact: `${" ".repeat(4_000)}x` })).toBe(422);
  expect(await answered("POST", path, { contact: `Ann${" ".repeat(4_000)}<ann@shop.example>` })).toBe(201);
});

test("stars in a pattern", async () => {
  const { body } = await ask("POST", "/api/postern/v1/domains", { name: "costly.example" });
  const patterns = [{ glob: `${"*".repeat(6_000)}x}` }];
  expect(await answered("PUT", `/api/postern/v1/domains/${body.data?.id}/patterns`, { patterns })).toBe(422);
});

test("blanks in a DNS record", () => {
  const expected: Expectations = { name: "own.example", token: "t", hosts: [], keys: [], delegatedTo: undefined };
  const text = `postern-verify=t${" ".repeat(65_000)}x`;
  const names = ["_postern.own.example", "_dmarc.own.example", "own.example"];
  const before = performance.now();
  expect(evaluate(expected, new Map(names.map((name) => [`${name} TXT`, [text]])))).toMatchObject({ proof: "absent" });
  expect(performance.now() - before).toBeLessThan(patienceMs);
});
