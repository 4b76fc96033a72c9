import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { scopes } from "../../../services/platform/security/scopes.ts";
import { endpoints } from "../../../services/rest/endpoints.ts";
import { newAccount } from "../support/accounts.ts";
import { askGraph, type MadeKey, madeKey } from "../support/api-keys.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";
import { documentOf, rootFields } from "../support/graph-fields.ts";

// Every route and every root field declares what a key needs, and a key without it is refused.

const keys = new Map<string, MadeKey>();
beforeAll(async () => {
  const anna = await newAccount("anna");
  for (const scope of scopes) keys.set(scope, await madeKey(anna, { scopes: [scope] }));
});

const rooted = await rootFields();

test.each(endpoints.map((each) => [each.name, each] as const))("%s declares what it needs", (_name, endpoint) => {
  const { credentials, scope } = endpoint;
  if (credentials === "none") expect(scope).toBe("none");
  else if (credentials === "bearer") expect(scope).toBe("session");
  else expect(["session", ...scopes]).toContain(scope);
});

test.each(rooted.map((each) => [each.type, each.field, each] as const))(
  "%s.%s declares what it needs",
  (_type, _field, { needed }) => {
    expect(["session", "none", ...scopes]).toContain(needed);
  },
);

/** Whether a key with one scope alone is refused where this is needed. */
const isBeyond = (scope: string, needed: string | undefined) =>
  needed !== "none" && (scope === "admin" ? needed === "session" : needed !== scope);

describe.each(scopes.map((scope) => [scope]))("a key with %s alone", (scope) => {
  const routes = endpoints.filter((each) => isBeyond(scope, each.scope));

  test.each(routes.map(({ method, path }) => [method, path] as const))("is refused at %s %s", async (method, path) => {
    const target = path.replaceAll(/\{\w+\}/g, "1");
    const { key = "" } = keys.get(scope) ?? {};
    for (const headers of [{ Token: key }, { Authorization: `Bearer ${key}` }] as Record<string, string>[]) {
      const answer = await ask({ method, path: target, headers, body: "{}" });
      expect([path, answer.status, answer.text]).toEqual([path, 403, expect.stringContaining('"ScopeMissing"')]);
    }
  });

  test("is refused by every root field of the graph that needs another", async () => {
    const { key = "" } = keys.get(scope) ?? {};
    const others = rooted.filter(({ needed }) => isBeyond(scope, needed));
    expect(others.length).toBeGreaterThan(10);
    for (const each of others) {
      const { data, kinds } = await askGraph(documentOf(each), {}, { token: key });
      expect([each.field, data[each.field] ?? null, kinds]).toEqual([each.field, null, ["ScopeMissing"]]);
    }
  });
});

test("a key that may only create is not shown an address that is there already, nor its contacts", async () => {
  const creating = keys.get("alias:create");
  const body = (proxyAddress: string) => ({
    data: { type: "proxy_bindings", attributes: { proxy_address: proxyAddress } },
  });
  const address = `once-${randomUUID()}@postern.localhost`;
  expect((await creating?.ask("POST", "/api/v1/proxy-bindings", body(address)))?.status).toBe(201);
  expect((await creating?.ask("POST", "/api/v1/proxy-bindings", body(address)))?.body).toEqual(
    errorDocument("AddressTaken", "bindings"),
  );
  const query = "mutation { createProxyBinding { proxyBinding { id contacts { totalCount } } } }";
  const { kinds } = await askGraph(query, {}, { token: creating?.key ?? "" });
  expect(kinds).toEqual(["ScopeMissing"]);
});

test("a key's refusal has the shape of every error", async () => {
  const answer = await keys.get("alias:create")?.ask("GET", "/api/v1/proxy-bindings");
  expect(answer?.body).toEqual(errorDocument("ScopeMissing", "rest", "This API key lacks the scope alias:read."));
});
