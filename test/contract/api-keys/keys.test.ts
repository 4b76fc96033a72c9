import { beforeAll, describe, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { askGraph, createKey, type MadeKey, madeKey } from "../support/api-keys.ts";
import { ask, askAt } from "../support/ask.ts";
import { bindingsPath, madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";
import { contractInstallation } from "../support/installation.ts";

let anna: TestAccount;
let admin: MadeKey;
beforeAll(async () => {
  anna = await newAccount("anna");
  admin = await madeKey(anna, { scopes: ["admin"], name: "everything" });
});

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
const byBearer = () => ({ authorization: `Bearer ${anna.bearer}` });

describe("createApiKey", () => {
  test("shows the key this once, and what it is good for", async () => {
    const account = await newAccount();
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const wish = {
      name: " browser ",
      scopes: ["alias:create", "alias:read"],
      domain: "Example.ORG.",
      targetIds: ["a@example.org"],
      expiresAt,
    };
    const { data, kinds } = await createKey(account, wish);
    expect(kinds).toEqual([]);
    const apiKey = {
      id: uuid,
      name: "browser",
      scopes: wish.scopes,
      domain: "example.org",
      targetIds: ["a@example.org"],
      expiresAt,
      lastUsedAt: null,
    };
    expect(data["createApiKey"]).toEqual({ key: expect.stringMatching(/^psk_[\w-]{43}$/), apiKey });
    const listed = await askGraph(
      "{ apiKeys { id name scopes domain targetIds expiresAt lastUsedAt } }",
      {},
      { token: account.token },
    );
    expect(listed.data["apiKeys"]).toEqual([apiKey]);
  });

  test.each([
    [{ name: " ", scopes: ["admin"] }],
    [{ name: "x".repeat(65), scopes: ["admin"] }],
    [{ name: "a\u0000b", scopes: ["admin"] }],
    [{ scopes: [] }],
    [{ scopes: ["operator"] }],
    [{ scopes: ["admin", "alias:*"] }],
    [{ scopes: ["admin"], domain: "no domain" }],
    [{ scopes: ["admin"], targetIds: [""] }],
    [{ scopes: ["admin"], targetIds: Array.from({ length: 51 }, String) }],
    [{ scopes: ["admin"], expiresAt: "2020-01-01T00:00:00Z" }],
    [{ scopes: ["admin"], expiresAt: "tomorrow" }],
  ])("refuses %j", async (wish) => {
    expect(await createKey(anna, wish)).toMatchObject({ data: { createApiKey: null }, kinds: ["ValidationFailed"] });
  });

  test("takes a fresh proof: no API token and no key makes another", async () => {
    const query = `mutation { createApiKey(input: {name: "x", scopes: ["admin"]}) { key } }`;
    expect((await askGraph(query, {}, { token: anna.token })).kinds).toEqual(["FreshProofRequired"]);
    expect((await askGraph(query, {}, { token: admin.key })).kinds).toEqual(["ScopeMissing"]);
  });

  test("there are 50 to an account", async () => {
    const account = await newAccount();
    for (let made = 0; made < 50; made += 1) await madeKey(account, { scopes: ["alias:read"] });
    expect((await createKey(account, { scopes: ["alias:read"] })).kinds).toEqual(["QuotaExceeded"]);
  });
});

test("revokeApiKey: it is worth nothing from then on, and a stranger revokes nobody's", async () => {
  const { id, key, ask: asked } = await madeKey(anna, { scopes: ["alias:read"] });
  expect((await asked("GET", bindingsPath)).status).toBe(200);
  const query = `mutation ($id: ID!) { revokeApiKey(id: $id) { id } }`;
  const stranger = await newAccount();
  expect((await askGraph(query, { id }, { authorization: `Bearer ${stranger.bearer}` })).kinds).toEqual(["NotFound"]);
  expect((await askGraph(query, { id }, { token: anna.token })).kinds).toEqual(["FreshProofRequired"]);
  expect((await askGraph(query, { id }, byBearer())).data["revokeApiKey"]).toEqual({ id });
  const token = await asked("GET", bindingsPath);
  expect([token.status, token.body]).toEqual([403, errorDocument("TokenNotFound", "auth", "Token not found")]);
  const bearer = await ask({ method: "GET", path: bindingsPath, headers: { authorization: `Bearer ${key}` } });
  expect([bearer.status, bearer.body]).toEqual([401, errorDocument("BearerTokenInvalid", "auth")]);
});

test("a key works wherever Token or Bearer does: REST, the graph, events, downloads", async () => {
  const { url } = await contractInstallation();
  for (const headers of [{ token: admin.key }, { authorization: `Bearer ${admin.key}` }] as Record<string, string>[]) {
    expect((await ask({ method: "GET", path: bindingsPath, headers })).status).toBe(200);
    expect((await askGraph("{ me { username } }", {}, headers)).data["me"]).toEqual({ username: anna.username });
    const abort = new AbortController();
    const events = await fetch(`${url}/events`, { headers, signal: abort.signal });
    expect(events.status).toBe(200);
    abort.abort();
  }
});

describe("a key never reads credentials, whatever its scopes", () => {
  test.each([["apiToken"], ["webhookSecret"], ["sessions { id }"], ["passkeys { id }"]])(
    "Account.%s",
    async (field) => {
      const { data, kinds } = await askGraph(`{ me { id ${field} } }`, {}, { token: admin.key });
      expect(kinds).toEqual(["ScopeMissing"]);
      expect(data["me"]).toEqual({ id: anna.accountId, [field.split(" ")[0] ?? ""]: null });
    },
  );

  test("not by way of a binding's owner either", async () => {
    const { id } = await madeBinding(anna);
    const query = `query ($id: ID!) { proxyBinding(id: $id) { owner { apiToken } } }`;
    const { data, kinds } = await askGraph(query, { id }, { token: admin.key });
    expect([data["proxyBinding"]?.["owner"], kinds]).toEqual([{ apiToken: null }, ["ScopeMissing"]]);
  });

  test("GET /api-token, in either header", async () => {
    for (const headers of [{ token: admin.key }, { authorization: `Bearer ${admin.key}` }] as Record<
      string,
      string
    >[]) {
      const answer = await ask({ method: "GET", path: "/api/v1/api-token", headers });
      expect([answer.status, answer.body]).toEqual([403, errorDocument("ScopeMissing", "rest")]);
    }
  });

  test("GET /users/me shows no webhook secret", async () => {
    const { status, text } = await admin.ask("GET", "/api/v1/users/me");
    expect([status, text]).toEqual([200, expect.not.stringContaining("whsec_")]);
  });

  test("/export tells of no sessions and no passkeys; other scopes get nothing of it", async () => {
    const { url } = await contractInstallation();
    const exported = await askAt(url, { method: "GET", path: "/export", headers: { token: admin.key } });
    expect(Object.keys(exported.body)).not.toEqual(expect.arrayContaining(["sessions"]));
    expect(exported.body["account"]?.["id"]).toBe(anna.accountId);
    const { key } = await madeKey(anna, { scopes: ["alias:read", "mail:read"] });
    expect((await askAt(url, { method: "GET", path: "/export", headers: { token: key } })).status).toBe(403);
  });
});

test("mail is read with mail:read alone, in the graph too", async () => {
  const { id } = await madeBinding(anna, { is_browsable: true });
  const query = `query ($id: ID!) { proxyBinding(id: $id) { id emails { totalCount } } }`;
  const aliases = await madeKey(anna, { scopes: ["alias:read"] });
  expect(await askGraph(query, { id }, { token: aliases.key })).toEqual({
    data: { proxyBinding: { id, emails: null } },
    kinds: ["ScopeMissing"],
  });
  const both = await madeKey(anna, { scopes: ["alias:read", "mail:read"] });
  expect((await askGraph(query, { id }, { token: both.key })).kinds).toEqual([]);
  const mail = await madeKey(anna, { scopes: ["mail:read"] });
  const { url } = await contractInstallation();
  for (const [key, status] of [
    [mail.key, 404],
    [aliases.key, 403],
  ] as const) {
    const source = await askAt(url, { method: "GET", path: `/received-emails/${id}/source`, headers: { token: key } });
    expect(source.status).toBe(status);
  }
});
