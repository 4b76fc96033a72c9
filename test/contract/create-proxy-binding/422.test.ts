import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import type { Json } from "../support/ask.ts";
import { bindingsOf, bindingsPath, createBinding, madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";
import { naming, titledMembers, valuesOf } from "../support/titles.ts";

let anna: TestAccount;
let before: Json;
beforeAll(async () => {
  anna = await newAccount("anna");
  await madeBinding(anna, { description: "there already" });
  before = await bindingsOf(anna);
});
afterAll(async () => {
  expect(await bindingsOf(anna)).toEqual(before);
});

test.each(
  titledMembers<unknown>([
    ["body", []],
    ["body", "text"],
    ["body", 5],
    ["body", true],
    ["data", {}],
    ["data", { data: [] }],
    ["data", { data: null }],
    ["data.type", { data: { attributes: {} } }],
    ["data.type", { data: { type: "proxy-bindings", attributes: {} } }],
    ["data.type", { data: { type: ["proxy_bindings"], attributes: {} } }],
    ["data.attributes", { data: { type: "proxy_bindings" } }],
    ["data.attributes", { data: { type: "proxy_bindings", attributes: [] } }],
    ["data.id", { data: { type: "proxy_bindings", id: 5, attributes: {} } }],
  ]),
)("%s", async (_title, member, given) => {
  const { status, body } = await anna.ask("POST", bindingsPath, JSON.stringify(given));
  expect(status).toBe(422);
  expect(body).toEqual(errorDocument("ValidationFailed", "rest", naming(member)));
});

const wrongTypes = [5, true, {}, [null], { address: "x" }, [["a@example.org"]]];

test.each(
  titledMembers<unknown>([
    ...valuesOf("proxy_address", wrongTypes),
    ...valuesOf("callback_url", wrongTypes),
    ...valuesOf("description", wrongTypes),
    ...valuesOf("real_addresses", [5, true, "a@example.org", {}, { "a@example.org": true }]),
    ...valuesOf("is_browsable", ["", "yes", "TRUE", "1", 2, -1, 1.5, [], {}]),
    ["real_addresses[1]", undefined],
  ]),
)("the type is wrong, %s", async (_title, member, value) => {
  const attributes = value === undefined ? { real_addresses: ["a@example.org", 5] } : { [member]: value };
  const { status, body } = await createBinding(anna, attributes);
  expect(status).toBe(422);
  expect(body).toEqual(errorDocument("ValidationFailed", "rest", naming(`data.attributes.${member}`)));
});

const reserved = ["postmaster", "Abuse", "HOSTMASTER", "mailer-daemon", "admin", "noreply", "postmaster+x", "security"];

test.each(
  titledMembers<unknown>([
    ...valuesOf("proxy_address", [
      ...reserved.map((name) => `${name}@postern.localhost`),
      "@postern.localhost",
      "a b@postern.localhost",
      "no-at-sign",
      "a@b@postern.localhost",
      " a@postern.localhost",
      "a@example.org",
      "a@sub.postern.localhost",
      "a@int.postern.localhost",
      "a@postern-int.int",
      `${"x".repeat(65)}@postern.localhost`,
      `${"x".repeat(10_000)}@postern.localhost`,
      '"quoted"@postern.localhost',
      "a\r\nBcc: b@postern.localhost",
    ]),
    ...valuesOf("real_addresses[0]", [
      ["a@postern.localhost"],
      ["a@example.org\r\nBcc: b@example.org"],
      ["a@localhost"],
      ["a@127.0.0.1"],
      ["a@[127.0.0.1]"],
      [""],
      ["Anna <a@example.org>"],
      ["a@example.org, b@example.org"],
      [`${"x".repeat(10_000)}@example.org`],
    ]),
    ["real_addresses[1]", ["a@example.org", "A@Postern.Localhost"]],
    ["real_addresses", Array.from({ length: 11 }, (_, at) => `a${at}@example.org`)],
    ["description", "x".repeat(10_001)],
    ...valuesOf("callback_url", [
      `https://example.com/${"x".repeat(2_048)}`,
      "example.com",
      "/hook",
      "ftp://example.com",
      "javascript:alert(1)",
      "http:example.com",
      "http://",
      "http://example.com:99999/",
      "https://example.com/\r\nX: y",
      " https://example.com/",
    ]),
  ]),
)("the value is wrong, %s", async (_title, member, value) => {
  const { status, body } = await createBinding(anna, { [member.replace(/\[.*/, "")]: value });
  expect(status).toBe(422);
  expect(body).toEqual(errorDocument("ValidationFailed", "bindings", naming(`data.attributes.${member}`)));
});
