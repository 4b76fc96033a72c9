import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import {
  bindingBody,
  bindingsPath,
  changeBinding,
  type Made,
  madeBinding,
  unverified,
  verified,
} from "../support/bindings.ts";
import { bindingResource } from "../support/documents.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

const changed = ({ id, proxyAddress }: Made, attributes: Record<string, unknown>, isVerificationEmailSend = false) => ({
  meta: { isVerificationEmailSend, firstProxyBinding: false },
  data: bindingResource(anna.accountId, { proxy_address: proxyAddress, ...attributes }, id),
});

const attributesOf = ({ resource }: Made) => resource["attributes"] as unknown as Record<string, unknown>;

test("one attribute after the other; what is absent stays as it is", async () => {
  const binding = await madeBinding(anna, { real_addresses: [anna.username] });
  const kept: Record<string, unknown> = { real_addresses: { [anna.username]: verified } };
  const steps = [
    { description: "the new description" },
    { callback_url: "https://example.com/hook" },
    { is_browsable: "true" },
    {},
    { callback_url: null },
    { description: "" },
    { is_browsable: 0 },
    { callback_url: "https://example.com/other", description: "both", is_browsable: true },
    { callback_url: "" },
  ];
  for (const step of steps) {
    const { status, body } = await changeBinding(anna, binding.id, step);
    expect(status).toBe(200);
    if ("description" in step) kept["description"] = step.description;
    if ("callback_url" in step) kept["callback_url"] = step.callback_url ?? "";
    if ("is_browsable" in step) kept["is_browsable"] = step.is_browsable === true || step.is_browsable === "true";
    expect(body).toEqual(changed(binding, kept));
  }
});

test("created_at stays, updated_at is refreshed", async () => {
  const binding = await madeBinding(anna);
  const { created_at, updated_at } = attributesOf(binding);
  expect(updated_at).toBe(created_at);
  await delay(1_001);
  const { body } = await changeBinding(anna, binding.id, { description: "later" });
  const attributes = body["data"]?.["attributes"];
  expect(attributes?.["created_at"]).toBe(created_at);
  expect(String(attributes?.["updated_at"]) > String(updated_at)).toBe(true);
});

test("real_addresses is the whole new set, in each of its three forms", async () => {
  const binding = await madeBinding(anna, { real_addresses: [anna.username, "leaves@example.net"] });
  const change = async (real_addresses: unknown, shown: Record<string, unknown>, isVerificationEmailSend: boolean) => {
    const { status, body } = await changeBinding(anna, binding.id, { real_addresses });
    expect(status).toBe(200);
    expect(body).toEqual(changed(binding, { real_addresses: shown }, isVerificationEmailSend));
  };
  const off = { is_enabled: false, is_verified: false };
  await change(
    { [anna.username]: false, "comes@example.net": true },
    { [anna.username]: { is_enabled: false, is_verified: true }, "comes@example.net": unverified },
    true,
  );
  await change(
    { [anna.username]: { is_enabled: true, is_verified: false }, "comes@example.net": { is_enabled: false } },
    { [anna.username]: verified, "comes@example.net": off },
    false,
  );
  await change(["comes@example.net", "COMES@example.net"], { "comes@example.net": unverified }, false);
  await change([anna.username], { [anna.username]: verified }, false);
  await change({ "a@int.postern.localhost": true }, { "a@int.postern.localhost": unverified }, false);
});

test("what the service answered can be sent back as it is", async () => {
  const binding = await madeBinding(anna, { real_addresses: [anna.username, "x@example.net"], description: "d" });
  const answer = await anna.ask("PATCH", `${bindingsPath}/${binding.id}`, { data: binding.resource });
  expect(answer.status).toBe(200);
  const real_addresses = { [anna.username]: verified, "x@example.net": unverified };
  expect(answer.body).toEqual(changed(binding, { real_addresses, description: "d" }));
});

test.each([
  ["the path's id", (binding: Made) => bindingBody({}, binding.id)],
  ["the address that it has", (binding: Made) => bindingBody({ proxy_address: binding.proxyAddress })],
  ["its address in capitals", (binding: Made) => bindingBody({ proxy_address: binding.proxyAddress.toUpperCase() })],
  ["received_emails", () => bindingBody({ received_emails: 55 })],
  ["received_emails of another type", () => bindingBody({ received_emails: "many" })],
  ["members that nobody knows", () => ({ ...bindingBody({ type: 1, created_at: null, x: [] }), included: [] })],
])("%s changes nothing", async (_name, body) => {
  const binding = await madeBinding(anna);
  const answer = await anna.ask("PATCH", `${bindingsPath}/${binding.id}`, body(binding));
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(changed(binding, { real_addresses: attributesOf(binding)["real_addresses"] }));
});

test("with a bearer token and without a content type", async () => {
  const binding = await madeBinding(anna);
  const headers = { AUTHORIZATION: `bearer ${anna.bearer}` };
  const path = `${bindingsPath}/${binding.id}/`;
  const answer = await ask({ method: "PATCH", path, headers, body: bindingBody({ description: "sloppy" }) });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(changed(binding, { description: "sloppy" }));
});
