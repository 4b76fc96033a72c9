import { beforeAll, expect, test } from "@jest/globals";
import { madeBinding, newAccount } from "./support/accounts.ts";
import { graphInstallation } from "./support/installation.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

const shown = "id address name reverseAddress isBlocked received sent lastSeenAt";
const create = `mutation ($bindingId: ID!, $address: String!, $name: String) {
  createContact(bindingId: $bindingId, address: $address, name: $name) { contact { ${shown} } } }`;
const update = `mutation ($id: ID!, $name: String, $isBlocked: Boolean) {
  updateContact(id: $id, name: $name, isBlocked: $isBlocked) { contact { ${shown} } } }`;
const remove = "mutation ($id: ID!) { deleteContact(id: $id) { id } }";
const list = `query ($id: ID!, $first: Int, $after: String, $search: String) { proxyBinding(id: $id) {
  contacts(first: $first, after: $after, search: $search) { nodes { id } totalCount pageInfo { hasNextPage endCursor } } } }`;

test("a binding answers, and has contacts that are made, named, blocked, listed in pages and removed", async () => {
  const account = await newAccount();
  const { id: bindingId } = await madeBinding(account);
  const change = `mutation ($id: ID!, $input: UpdateProxyBindingInput!) {
    updateProxyBinding(id: $id, input: $input) { proxyBinding { answers displayName } } }`;
  expect(await account.get(change, { id: bindingId, input: { answers: true, displayName: "Olive" } })).toEqual({
    updateProxyBinding: { proxyBinding: { answers: true, displayName: "Olive" } },
  });
  const make = async (address: string, name?: string) =>
    (await account.get(create, { bindingId, address, name }))["createContact"]?.["contact"];
  const ann = await make("ann@shop.example", "Ann");
  expect(ann).toEqual({
    id: expect.any(String),
    address: "ann@shop.example",
    name: "Ann",
    reverseAddress: expect.stringMatching(/^re\+[a-z2-7]{26}@postern\.localhost$/),
    isBlocked: false,
    received: 0,
    sent: 0,
    lastSeenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  const bob = await make("bob@far.example");
  const changed = { ...ann, name: "Ann of the shop", isBlocked: true };
  const { id } = ann as { id: unknown };
  expect(await account.get(update, { id, name: "Ann of the shop", isBlocked: true })).toEqual({
    updateContact: { contact: changed },
  });
  expect(await account.get(update, { id, isBlocked: false })).toMatchObject({
    updateContact: { contact: { name: "Ann of the shop", isBlocked: false } },
  });
  const page = async (asked: object) =>
    (await account.get(list, { id: bindingId, ...asked }))["proxyBinding"]?.["contacts"];
  const first = await page({ first: 1 });
  expect(first).toEqual({
    nodes: [{ id: bob?.["id"] }],
    totalCount: 2,
    pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
  });
  const rest = await page({ first: 1, after: first?.["pageInfo"]?.["endCursor"] });
  expect(rest).toMatchObject({ nodes: [{ id }], totalCount: 2, pageInfo: { hasNextPage: false } });
  expect(await page({ search: "SHOP" })).toMatchObject({ nodes: [{ id }], totalCount: 1 });
  expect(await account.get(remove, { id })).toEqual({ deleteContact: { id } });
  expect(await page({})).toMatchObject({ nodes: [{ id: bob?.["id"] }], totalCount: 1 });
});
