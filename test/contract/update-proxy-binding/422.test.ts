import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import type { Json } from "../support/ask.ts";
import {
  bindingBody,
  bindingsOf,
  bindingsPath,
  changeBinding,
  freshAddress,
  madeBinding,
} from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";
import { naming, titledMembers } from "../support/titles.ts";

let anna: TestAccount;
let id: string;
let before: Json;
beforeAll(async () => {
  anna = await newAccount("anna");
  id = (await madeBinding(anna, { real_addresses: [anna.username], description: "there already" })).id;
  before = await bindingsOf(anna);
});
afterAll(async () => {
  expect(await bindingsOf(anna)).toEqual(before);
});

test.each(
  titledMembers<unknown>([
    ["body", []],
    ["data", { data: "x" }],
    ["data.type", { data: { type: "users", attributes: {} } }],
    ["data.attributes", { data: { type: "proxy_bindings", attributes: "x" } }],
    ["data.id", bindingBody({}, 5)],
    ["data.id", bindingBody({}, null)],
    ["data.id", bindingBody({}, "01890000-0000-7000-8000-000000000000")],
    ["data.id", bindingBody({}, "")],
    ["data.attributes.description", bindingBody({ description: ["x"] })],
    ["data.attributes.callback_url", bindingBody({ callback_url: false })],
    ["data.attributes.is_browsable", bindingBody({ is_browsable: "on" })],
    ["data.attributes.proxy_address", bindingBody({ proxy_address: 5 })],
    ["data.attributes.proxy_address", bindingBody({ proxy_address: null })],
    ["data.attributes.proxy_address", bindingBody({ proxy_address: "" })],
    ["data.attributes.real_addresses", bindingBody({ real_addresses: "a@example.org" })],
    ["data.attributes.real_addresses", bindingBody({ real_addresses: [5] })],
    ["data.attributes.real_addresses", bindingBody({ real_addresses: { "a@example.org": "true" } })],
    ["data.attributes.real_addresses", bindingBody({ real_addresses: { "a@example.org": null } })],
    ["data.attributes.real_addresses", bindingBody({ real_addresses: { "a@example.org": {} } })],
    ["data.attributes.real_addresses", bindingBody({ real_addresses: { "a@example.org": { is_enabled: 1 } } })],
    ["data.attributes.real_addresses", bindingBody({ real_addresses: { "a@example.org": [true] } })],
  ]),
)("%s", async (_title, member, given) => {
  const { status, body } = await anna.ask("PATCH", `${bindingsPath}/${id}`, given);
  expect(status).toBe(422);
  expect(body).toEqual(errorDocument("ValidationFailed", "rest", naming(member)));
});

test.each(
  titledMembers<unknown>([
    ["real_addresses", []],
    ["real_addresses", {}],
    ["real_addresses", ["not an address"]],
    ["real_addresses", { "a@postern.localhost": true }],
    ["real_addresses", { "a@example.org": true, "A@example.org": false }],
    ["real_addresses", { "": true }],
    ["real_addresses", { constructor: true }],
    ["real_addresses", Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`a${at}@example.org`, true]))],
    ["proxy_address", freshAddress()],
    ["proxy_address", "not an address"],
    ["proxy_address", "x".repeat(10_000)],
    ["description", "x".repeat(10_001)],
    ["callback_url", "ftp://example.com"],
  ]),
)("%s", async (_title, member, value) => {
  // Beside something that is right, which must not be taken over either.
  const { status, body } = await changeBinding(anna, id, {
    description: "changed",
    is_browsable: true,
    [member]: value,
  });
  expect(status).toBe(422);
  expect(body).toEqual(errorDocument("ValidationFailed", "bindings", naming(`data.attributes.${member}`)));
});
