import { beforeAll, describe, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { askGraph, type MadeKey, madeKey } from "../support/api-keys.ts";
import { bindingBody, bindingsOf, bindingsPath, freshAddress, madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";

// `domain` and `target_ids` of a key bind every creation and change, in /api/v1 as in the graph.

const scopes = ["alias:create", "alias:write", "alias:read"];
let anna: TestAccount;
let bound: MadeKey;
let targets: Record<string, string>;
beforeAll(async () => {
  anna = await newAccount("anna");
  await madeBinding(anna, { real_addresses: ["one@example.org", "two@example.org"] });
  const { data } = await askGraph("{ targets { id address isOwn isVerified bindings } }", {}, { token: anna.token });
  const listed = Object.values(data["targets"] ?? {});
  expect(listed[0]).toEqual({
    id: expect.any(String),
    address: anna.username,
    isOwn: true,
    isVerified: true,
    bindings: 0,
  });
  targets = Object.fromEntries(listed.map((each) => [String(each?.["address"]), String(each?.["id"])]));
  bound = await madeKey(anna, { scopes, targetIds: [targets["one@example.org"] ?? "", anna.username] });
});

const create = (key: MadeKey, attributes: unknown) => key.ask("POST", bindingsPath, bindingBody(attributes));

describe("targets", () => {
  test("without real addresses it leads to the key's", async () => {
    const { status, body } = await create(bound, {});
    expect(status).toBe(201);
    const addresses = Object.keys(body["data"]?.["attributes"]?.["real_addresses"] ?? {});
    expect(addresses.sort()).toEqual([anna.username, "one@example.org"].sort());
  });

  test("some of them will do, in any case", async () => {
    expect((await create(bound, { real_addresses: ["ONE@Example.org"] })).status).toBe(201);
  });

  test.each([
    ["another address of the account's", { real_addresses: ["two@example.org"] }],
    ["one that is among them, and one that is not", { real_addresses: ["one@example.org", "two@example.org"] }],
    ["a stranger's", { real_addresses: ["evil@example.net"] }],
    ["a callback URL", { callback_url: "https://example.net/" }],
  ])("%s: 403, and nothing is made", async (_name, attributes) => {
    const before = await bindingsOf(anna);
    const answer = await create(bound, attributes);
    expect([answer.status, answer.body]).toEqual([403, errorDocument("Forbidden", "bindings")]);
    expect(await bindingsOf(anna)).toEqual(before);
  });

  test("a binding that leads elsewhere is neither changed, shown by creating it again, nor removed", async () => {
    const proxy_address = freshAddress();
    const { id } = await madeBinding(anna, { proxy_address, real_addresses: ["two@example.org"] });
    const path = `${bindingsPath}/${id}`;
    const before = await bindingsOf(anna);
    for (const answer of [
      await bound.ask("PATCH", path, bindingBody({ description: "x" })),
      await bound.ask("PATCH", path, bindingBody({ real_addresses: ["one@example.org"] })),
      await bound.ask("DELETE", path),
      await create(bound, { proxy_address }),
    ])
      expect(answer.body).toEqual(errorDocument("Forbidden", "bindings"));
    expect(await bindingsOf(anna)).toEqual(before);
  });

  test("one of its own is changed within them", async () => {
    const { body } = await create(bound, { real_addresses: ["one@example.org"] });
    const path = `${bindingsPath}/${String(body["data"]?.["id"])}`;
    expect((await bound.ask("PATCH", path, bindingBody({ description: "x" }))).status).toBe(200);
    expect((await bound.ask("PATCH", path, bindingBody({ real_addresses: [anna.username] }))).status).toBe(200);
    expect((await bound.ask("PATCH", path, bindingBody({ real_addresses: ["evil@example.net"] }))).status).toBe(403);
    expect((await bound.ask("PATCH", path, bindingBody({ callback_url: "https://example.net/" }))).status).toBe(403);
    expect((await bound.ask("DELETE", path)).status).toBe(204);
  });

  test("the graph holds it to them as well", async () => {
    const query = `mutation ($input: CreateProxyBindingInput) { createProxyBinding(input: $input) { proxyBinding { realAddresses { address } } } }`;
    const asked = (input: unknown) => askGraph(query, { input }, { token: bound.key });
    expect((await asked({ realAddresses: ["two@example.org"] })).kinds).toEqual(["Forbidden"]);
    const { data } = await asked({ realAddresses: ["one@example.org"] });
    expect(data["createProxyBinding"]).toEqual({ proxyBinding: { realAddresses: [{ address: "one@example.org" }] } });
  });

  test("ids that stand for nothing lead nowhere", async () => {
    const lost = await madeKey(anna, { scopes, targetIds: ["018d2475-0f3c-7c11-8a52-6b1d3f5e9a00"] });
    for (const attributes of [{}, { real_addresses: ["one@example.org"] }])
      expect((await create(lost, attributes)).status).toBe(403);
    const stranger = await newAccount();
    const foreign = await madeKey(stranger, { scopes, targetIds: [targets["one@example.org"] ?? ""] });
    expect((await create(foreign, { real_addresses: ["one@example.org"] })).status).toBe(403);
  });
});

describe("domain", () => {
  test("the service's own will do", async () => {
    const key = await madeKey(anna, { scopes, domain: "postern.localhost" });
    expect((await create(key, {})).status).toBe(201);
    expect((await create(key, { proxy_address: freshAddress() })).status).toBe(201);
  });

  test("another than the key's is refused, and one that is not the account's makes nothing", async () => {
    const key = await madeKey(anna, { scopes, domain: "example.org" });
    expect((await create(key, { proxy_address: freshAddress() })).status).toBe(403);
    expect((await create(key, {})).status).toBe(422);
    const { id } = await madeBinding(anna);
    expect((await key.ask("PATCH", `${bindingsPath}/${id}`, bindingBody({ description: "x" }))).status).toBe(403);
    expect((await key.ask("DELETE", `${bindingsPath}/${id}`)).status).toBe(403);
  });
});
