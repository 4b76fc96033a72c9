import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import type { Answer } from "../support/ask.ts";
import { bindingsPath, changeBinding, madeBinding, verified } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";

// Real addresses as other programs of this contract add, replace and list them.

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

const json = ({ text }: Answer) => JSON.parse(text);
const fresh = () => `fresh-${Date.now()}-${Math.random().toString(36).slice(2)}@example.org`;

test("one is replaced in all bindings", async () => {
  const account = await newAccount();
  const [oldEmail, newEmail] = [fresh(), fresh()];
  const one = await madeBinding(account, { real_addresses: [oldEmail, account.username] });
  const two = await madeBinding(account, { real_addresses: [oldEmail, newEmail] });
  const body = { data: { type: "replace-real-emails", attributes: { oldEmail: oldEmail.toUpperCase(), newEmail } } };
  const answer = await account.ask("POST", "/api/v1/emails/replace", body);
  expect([answer.status, answer.body]).toEqual([200, {}]);
  const addressesOf = async (id: string) => {
    const shown = await account.ask("GET", `${bindingsPath}/${id}`);
    return Object.keys(shown.body["data"]?.["attributes"]?.["real_addresses"] ?? {}).sort();
  };
  expect(await addressesOf(one.id)).toEqual([newEmail, account.username].sort());
  expect(await addressesOf(two.id)).toEqual([newEmail]);
  const wrong = {
    data: { type: "replace-real-emails", attributes: { oldEmail: newEmail, newEmail: "x@postern.localhost" } },
  };
  expect((await account.ask("POST", "/api/v1/emails/replace", wrong)).status).toBe(422);
  expect(await addressesOf(two.id)).toEqual([newEmail]);
});

test("PATCH adds new_real_address, and takes wildcard_auto_create", async () => {
  const { id } = await madeBinding(anna, { real_addresses: ["kept@example.org"] });
  const { status, body } = await changeBinding(anna, id, {
    new_real_address: anna.username,
    wildcard_auto_create: true,
  });
  expect(status).toBe(200);
  expect(body["data"]?.["attributes"]?.["real_addresses"]).toEqual({
    "kept@example.org": { is_enabled: true, is_verified: false },
    [anna.username]: verified,
  });
});

test("new_real_address by two programs at once: both are added", async () => {
  const { id } = await madeBinding(anna, { real_addresses: [anna.username] });
  const [one, two] = [fresh(), fresh()];
  const answers = await Promise.all(
    [one, two].map((address) => changeBinding(anna, id, { new_real_address: address })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const shown = await anna.ask("GET", `${bindingsPath}/${id}`);
  const addresses = shown.body["data"]?.["attributes"]?.["real_addresses"] ?? {};
  expect(Object.keys(addresses).sort()).toEqual([anna.username, one, two].sort());
});

test("new_real_address that is there already stays as it is, and an eleventh is refused", async () => {
  const { id } = await madeBinding(anna, { real_addresses: [anna.username] });
  const switchedOff = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`off-${at}@example.org`, false]));
  const before = await changeBinding(anna, id, { real_addresses: switchedOff });
  const after = await changeBinding(anna, id, { new_real_address: "OFF-3@example.org" });
  expect([after.status, after.body["data"]?.["attributes"]?.["real_addresses"]]).toEqual([
    200,
    before.body["data"]?.["attributes"]?.["real_addresses"],
  ]);
  const message = expect.stringMatching(/^data\.attributes\.new_real_address: /);
  expect((await changeBinding(anna, id, { new_real_address: fresh() })).body).toEqual(
    errorDocument("ValidationFailed", "bindings", message),
  );
});

test("one is replaced by another that the binding has already, switched off: what was on stays on", async () => {
  const [oldEmail, newEmail] = [fresh(), fresh()];
  const { id } = await madeBinding(anna, { real_addresses: [oldEmail, newEmail] });
  await changeBinding(anna, id, { real_addresses: { [oldEmail]: true, [newEmail]: false } });
  const body = { data: { type: "replace-real-emails", attributes: { oldEmail, newEmail } } };
  expect((await anna.ask("POST", "/api/v1/emails/replace", body)).status).toBe(200);
  const shown = await anna.ask("GET", `${bindingsPath}/${id}`);
  expect(shown.body["data"]?.["attributes"]?.["real_addresses"]).toEqual({
    [newEmail]: { is_enabled: true, is_verified: false, is_verification_needed: true },
  });
});

test("GET /gapi/real-emails and /gapi/verified-emails-list", async () => {
  const account = await newAccount();
  await madeBinding(account, { real_addresses: ["other@example.org"] });
  expect(json(await account.ask("GET", "/gapi/real-emails"))).toEqual({
    data: [
      { email: account.username, is_verified: true, is_default: true },
      { email: "other@example.org", is_verified: false, is_default: false },
    ],
  });
  expect(json(await account.ask("GET", "/gapi/verified-emails-list"))).toEqual({ List: [account.username] });
});
