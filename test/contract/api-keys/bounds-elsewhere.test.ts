import { beforeAll, describe, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { askGraph, type MadeKey, madeKey } from "../support/api-keys.ts";
import { madeBinding } from "../support/bindings.ts";
import { addedDomain, domainsPath, freshDomain } from "../support/domains.ts";

// `domain` and `target_ids` of a key bind what belongs to a binding or to a domain as well: contacts, notes, links, patterns.

let anna: TestAccount;
let bound: MadeKey;
let outside: string;
let within: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  outside = String((await madeBinding(anna, { real_addresses: ["two@example.org"] })).id);
  within = String((await madeBinding(anna, { real_addresses: ["one@example.org"] })).id);
  bound = await madeKey(anna, { scopes: ["admin"], targetIds: ["one@example.org", anna.username] });
});

const contact = (bindingId: string, address: string) => ({
  data: {
    type: "proxy_binding_contacts",
    attributes: { recipient_email: address },
    relationships: { proxy_binding: { data: { type: "proxy_bindings", id: bindingId } } },
  },
});
const graph = (query: string, variables: unknown, key = bound.key) => askGraph(query, variables, { token: key });

describe("a binding that leads elsewhere", () => {
  test("POST /api/v1/contacts", async () => {
    expect((await bound.ask("POST", "/api/v1/contacts", contact(outside, "a@shop.example"))).status).toBe(403);
    expect((await bound.ask("POST", "/api/v1/contacts", contact(within, "a@shop.example"))).status).toBe(201);
  });

  test("createContact, updateContact, deleteContact", async () => {
    const create =
      'mutation ($id: ID!) { createContact(bindingId: $id, address: "b@shop.example") { contact { id } } }';
    expect((await graph(create, { id: outside })).kinds).toEqual(["Forbidden"]);
    const { data } = await graph(create, { id: outside }, anna.token);
    const id = data["createContact"]?.["contact"]?.["id"];
    const update = "mutation ($id: ID!) { updateContact(id: $id, isBlocked: true) { contact { id } } }";
    expect((await graph(update, { id })).kinds).toEqual(["Forbidden"]);
    expect((await graph("mutation ($id: ID!) { deleteContact(id: $id) { id } }", { id })).kinds).toEqual(["Forbidden"]);
    const made = await graph(create, { id: within });
    const own = { id: made.data["createContact"]?.["contact"]?.["id"] };
    expect((await graph(update, own)).kinds).toEqual([]);
    expect((await graph("mutation ($id: ID!) { deleteContact(id: $id) { id } }", own)).kinds).toEqual([]);
  });

  test("resendVerification", async () => {
    const query = `mutation ($id: ID!, $address: String!) {
      resendVerification(proxyBindingId: $id, address: $address) { proxyBinding { id } }
    }`;
    expect((await graph(query, { id: outside, address: "two@example.org" })).kinds).toEqual(["Forbidden"]);
    expect((await graph(query, { id: within, address: "one@example.org" })).kinds).not.toContain("Forbidden");
  });

  test("PATCH /gapi/used-on", async () => {
    const note = (id: string) => bound.ask("PATCH", "/gapi/used-on", { proxy_binding_id: id, list: ["shop.example"] });
    expect((await note(outside)).status).toBe(403);
    expect((await note(within)).status).toBe(200);
  });
});

describe("domains", () => {
  test("another than the key's is neither added nor removed, in REST and in the graph", async () => {
    const name = freshDomain();
    const key = await madeKey(anna, { scopes: ["admin"], domain: name });
    const { id } = await addedDomain(anna);
    expect((await key.ask("POST", domainsPath, { name: freshDomain() })).status).toBe(403);
    expect((await key.ask("DELETE", `${domainsPath}/${id}`)).status).toBe(403);
    expect((await key.ask("PUT", `${domainsPath}/${id}/patterns`, { patterns: [] })).status).toBe(403);
    const add = "mutation ($name: String!) { addDomain(name: $name) { id } }";
    expect((await graph(add, { name: freshDomain() }, key.key)).kinds).toEqual(["Forbidden"]);
    const remove = "mutation ($id: ID!) { removeDomain(id: $id) { id } }";
    expect((await graph(remove, { id }, key.key)).kinds).toEqual(["Forbidden"]);
    const own = await key.ask("POST", domainsPath, { name });
    expect(own.status).toBe(201);
    expect((await key.ask("DELETE", `${domainsPath}/${String(own.body["data"]?.["id"])}`)).status).toBe(204);
  });

  test("patterns lead to the key's targets, and to some of them", async () => {
    const { id } = await addedDomain(anna);
    const path = `${domainsPath}/${id}/patterns`;
    const set = async (patterns: unknown[]) => (await bound.ask("PUT", path, { patterns })).status;
    expect(await set([{ glob: "*", targets: ["two@example.org"] }])).toBe(403);
    expect(await set([{ glob: "*" }])).toBe(403);
    expect(await set([{ glob: "*", targets: [anna.username] }])).toBe(200);
    const mutation = `mutation ($id: ID!, $patterns: [PatternInput!]!) { setPatterns(domainId: $id, patterns: $patterns) { id } }`;
    expect((await graph(mutation, { id, patterns: [{ glob: "*" }] })).kinds).toEqual(["Forbidden"]);
    expect((await anna.ask("PUT", path, { patterns: [{ glob: "*" }] })).status).toBe(200);
    expect(await set([])).toBe(403);
    expect((await bound.ask("DELETE", `${domainsPath}/${id}`)).status).toBe(403);
  });
});

describe("rules", () => {
  const create = "mutation ($input: CreateRuleInput!) { createRule(input: $input) { rule { id } } }";
  const kinds = async (input: object, key = bound.key) => (await graph(create, { input }, key)).kinds;

  test("of a binding that leads elsewhere, of the account, and that forward elsewhere are out of bounds", async () => {
    expect(await kinds({ bindingId: outside })).toEqual(["Forbidden"]);
    expect(await kinds({})).toEqual(["Forbidden"]);
    expect(await kinds({ bindingId: within })).toEqual([]);
    const forwarding = { bindingId: within, actions: { forwardTo: [anna.username] } };
    expect(await kinds(forwarding)).toEqual([]);
    const narrow = await madeKey(anna, { scopes: ["alias:write"], targetIds: ["one@example.org"] });
    expect(await kinds(forwarding, narrow.key)).toEqual(["Forbidden"]);
    const { data } = await graph(create, { input: forwarding }, anna.token);
    const id = data["createRule"]?.["rule"]?.["id"];
    const rest = [
      "mutation ($id: ID!) { updateRule(id: $id, input: { actions: {} }) { rule { id } } }",
      "mutation ($id: ID!) { moveRule(id: $id, position: 0) { rule { id } } }",
      "mutation ($id: ID!) { deleteRule(id: $id) { id } }",
    ];
    for (const query of rest) expect((await graph(query, { id }, narrow.key)).kinds).toEqual(["Forbidden"]);
    for (const query of rest) expect((await graph(query, { id })).kinds).toEqual([]);
  });

  test("of another domain than the key's are out of bounds, and those of its own are not", async () => {
    const [one, two] = [await addedDomain(anna), await addedDomain(anna)];
    const key = await madeKey(anna, { scopes: ["alias:write"], domain: one.name });
    expect(await kinds({ domainId: two.id }, key.key)).toEqual(["Forbidden"]);
    expect(await kinds({ domainId: one.id }, key.key)).toEqual([]);
    expect(await kinds({}, key.key)).toEqual(["Forbidden"]);
  });
});
