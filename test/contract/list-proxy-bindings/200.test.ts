import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { bindingsPath, changeBinding, type Made, madeBinding } from "../support/bindings.ts";
import { bindingResource, internalAddress } from "../support/documents.ts";
import { acceptsRequestVariants, answersHead } from "../support/request-variants.ts";

let anna: TestAccount;
let older: Made;
let newer: Made;
let whole: unknown;

beforeAll(async () => {
  anna = await newAccount("anna");
  older = await madeBinding(anna, {});
  newer = await madeBinding(anna, {
    real_addresses: [anna.username, "somebody@example.net", "switched-off@example.net"],
    description: "newer",
    callback_url: "https://example.com/",
    is_browsable: 1,
  });
  const set = { [anna.username]: true, "somebody@example.net": true, "switched-off@example.net": false };
  await changeBinding(anna, newer.id, { real_addresses: set });
  // Somebody else's, which must not be there.
  await madeBinding(await newAccount("bert"), {});
  const [internal = ""] = Object.keys(older.resource["attributes"]?.["real_addresses"] ?? {});
  expect(internal).toMatch(internalAddress);
  const isNeeded = { is_verified: false, is_verification_needed: true };
  const newerAttributes = {
    proxy_address: newer.proxyAddress,
    real_addresses: {
      [anna.username]: { is_enabled: true, is_verified: true, is_verification_needed: false },
      "somebody@example.net": { is_enabled: true, ...isNeeded },
      "switched-off@example.net": { is_enabled: false, ...isNeeded },
    },
    description: "newer",
    callback_url: "https://example.com/",
    is_browsable: true,
  };
  const olderAttributes = {
    proxy_address: older.proxyAddress,
    real_addresses: { [internal]: { is_enabled: true, is_verified: false, is_verification_needed: false } },
  };
  whole = {
    meta: { usedProxyBindings: 2, availableProxyBindings: 100, isVerificationEmailSend: false },
    data: [
      bindingResource(anna.accountId, newerAttributes, newer.id),
      bindingResource(anna.accountId, olderAttributes, older.id),
    ],
  };
});

test("all of the caller's, newest first, with the quota in all and what it is used by", async () => {
  const { status, body } = await anna.ask("GET", bindingsPath);
  expect(status).toBe(200);
  expect(body).toEqual(whole);
});

test.each([
  ["?sort=asc", true],
  ["?sort=ASC", true],
  ["?sort=desc", false],
  ["?sort=asc&sort=desc", true],
  ["?page=2&include=user", false],
  ["?", false],
])("%s", async (query, isOldestFirst) => {
  const { status, body } = await anna.ask("GET", `${bindingsPath}${query}`);
  expect(status).toBe(200);
  const ids = Object.values(body["data"] ?? {}).map((each) => each?.["id"]);
  expect(ids).toEqual(isOldestFirst ? [older.id, newer.id] : [newer.id, older.id]);
});

test("nothing yet is an empty list", async () => {
  const { status, body } = await (await newAccount()).ask("GET", bindingsPath);
  expect(status).toBe(200);
  expect(body).toEqual({
    meta: { usedProxyBindings: 0, availableProxyBindings: 100, isVerificationEmailSend: false },
    data: [],
  });
});

test("a slash at the end does not matter", async () => {
  expect((await anna.ask("GET", `${bindingsPath}/`)).body).toEqual(whole);
});

acceptsRequestVariants(
  () => anna,
  () => ({ method: "GET", path: bindingsPath }),
  ({ status, body }) => {
    expect(status).toBe(200);
    expect(body).toEqual(whole);
  },
);

answersHead(
  () => anna,
  () => bindingsPath,
);
