import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  codeBody,
  newAccount,
  secondFactorPath,
  signInBody,
  signInQuestion,
  type TestAccount,
} from "../support/accounts.ts";
import { ask, type Json } from "../support/ask.ts";
import { bindingBody, bindingsOf, bindingsPath, createBinding, madeBinding } from "../support/bindings.ts";
import { bindingResource, errorDocument } from "../support/documents.ts";
import { contractInstallation } from "../support/installation.ts";
import { titled } from "../support/titles.ts";

let anna: TestAccount;
let bert: TestAccount;
let id: string;
let before: Json;
let foreign: Json;
beforeAll(async () => {
  [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  id = (await madeBinding(anna, { real_addresses: [anna.username], description: "there already" })).id;
  await madeBinding(bert, { description: "somebody else's" });
  [before, foreign] = await Promise.all([bindingsOf(anna), bindingsOf(bert)]);
});
afterAll(async () => {
  expect(await bindingsOf(anna)).toEqual(before);
  expect(await bindingsOf(bert)).toEqual(foreign);
});

/** What JSON can say, and PostgreSQL and many a reader of JSON cannot hold. */
const unholdable = ["\0", "a\0b", "\ud800", "a\udc00b", "\udfff\ud800"];

const members: [string, (text: string) => Record<string, unknown>][] = [
  ["real_addresses[0]", (text) => ({ real_addresses: [`${text}@example.org`] })],
  ["proxy_address", (text) => ({ proxy_address: `${text}@postern.localhost` })],
  ["callback_url", (text) => ({ callback_url: `https://example.com/${text}` })],
  ["description", (text) => ({ description: text })],
];

test.each(members)("NUL characters and unpaired surrogates in %s", async (member, attributes) => {
  for (const text of unholdable) {
    const asked = bindingBody(attributes(text));
    const answers = [
      await anna.ask("POST", bindingsPath, asked),
      await anna.ask("PATCH", `${bindingsPath}/${id}`, asked),
    ];
    for (const { status, body } of answers) {
      expect([text, status]).toEqual([text, 422]);
      const name = member.replace(/\[.*/, "");
      const message = expect.stringContaining(`data.attributes.${name}`);
      expect(body).toEqual(errorDocument("ValidationFailed", "rest", message));
    }
  }
});

test("the same as names of members", async () => {
  for (const text of unholdable) {
    const asked = bindingBody({ real_addresses: { [`${text}@example.org`]: true } });
    const { status, body } = await anna.ask("PATCH", `${bindingsPath}/${id}`, asked);
    expect([text, status]).toEqual([text, 422]);
    expect(body).toEqual(errorDocument("ValidationFailed", "rest", expect.stringContaining("real_addresses")));
  }
});

/** Whoever puts a string together with SQL, a header, HTML, a path or a format would be shown it by one of these. */
const injections = [
  "'; drop schema bindings cascade; --",
  "' or '1'='1",
  "\\'; select pg_sleep(10); --",
  "$1",
  "$" + "{7*7}",
  "{{7*7}}",
  "%s%n%x",
  "a\r\nBcc: victim@example.org\r\n\r\n",
  "a\nX-Injected: yes",
  "<script>alert(1)</script>",
  "../../../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "NaN",
  "\u202eevil",
  "\ufeff",
  "🏴‍☠️".repeat(50),
];

test.each(titled(injections))("%s as an address is refused or stays what it is", async (_title, text) => {
  for (const attributes of [{ proxy_address: text }, { real_addresses: [text] }, { callback_url: text }]) {
    const { status, body } = await createBinding(anna, attributes);
    expect(status).toBe(422);
    expect(body).toEqual(errorDocument("ValidationFailed", "bindings"));
  }
});

test.each(titled(injections))("%s as a description is kept as it is", async (_title, description) => {
  const carl = await newAccount("carl");
  const created = await createBinding(carl, { description });
  expect(created.status).toBe(201);
  expect(created.body["data"]).toEqual(bindingResource(carl.accountId, { description }));
  expect((await bindingsOf(carl))["data"]?.["0"]?.["attributes"]?.["description"]).toBe(description);
});

test("as credentials they open nothing, and passwords are in no log", async () => {
  const secret = "a password that was mistyped";
  for (const text of injections) {
    const answers = [
      await ask({ ...signInQuestion, body: signInBody(text, secret) }),
      await ask({ ...signInQuestion, body: signInBody(anna.username, text) }),
    ];
    // After ten failures the account is closed for a while.
    for (const { status } of answers) expect([401, 429]).toContain(status);
    const headers = { authorization: `Bearer ${bert.bearer}` };
    const { status } = await ask({ method: "POST", path: secondFactorPath, headers, body: codeBody(text) });
    expect([409, 429]).toContain(status);
  }
  const { logPath } = await contractInstallation();
  const log = await readFile(logPath, "utf8");
  expect(log).not.toContain(secret);
  expect(log).not.toContain(bert.token);
  expect(log).not.toContain(bert.bearer);
});
