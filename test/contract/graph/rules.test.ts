import { beforeAll, expect, test } from "@jest/globals";
import { graphInstallation } from "./support/installation.ts";
import { madeBinding, newcomer } from "./support/people.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

const shown = `rule { id name title position binding { id } domain { id } conditions { senders from dmarc tags largerThan }
  actions { refuse discard tagSubject forwardTo callbackOnly keepOnly limitPerHour } expiresAt hits lastHitAt }`;
const create = `mutation ($input: CreateRuleInput!) { createRule(input: $input) { ${shown} } }`;

test("a rule is made, changed, moved, listed and removed", async () => {
  const person = await newcomer();
  const { id: bindingId } = await madeBinding(person);
  const conditions = { from: ["Pest@X.example"], dmarc: ["fail", "unknown"], largerThan: 1_000 };
  const input = { bindingId, conditions, actions: { tagSubject: "[pest]", refuse: null }, name: "Pests" };
  const made = (await person.get(create, { input }))["createRule"]?.["rule"];
  expect(made).toEqual({
    id: expect.any(String),
    name: "Pests",
    title: "Pests",
    position: 0,
    binding: { id: bindingId },
    domain: null,
    conditions: { senders: null, from: ["pest@x.example"], dmarc: ["fail", "unknown"], tags: null, largerThan: 1_000 },
    actions: {
      ...{ refuse: false, discard: false, tagSubject: "[pest]", forwardTo: [] },
      ...{ callbackOnly: false, keepOnly: false, limitPerHour: null },
    },
    expiresAt: null,
    hits: 0,
    lastHitAt: null,
  });
  const second = (await person.get(create, { input: { bindingId } }))["createRule"]?.["rule"];
  const all = (await person.get(create, { input: {} }))["createRule"]?.["rule"];
  const { moveRule } = await person.get(
    "mutation ($id: ID!) { moveRule(id: $id, position: 0) { rule { position } } }",
    second,
  );
  expect(moveRule).toEqual({ rule: { position: 0 } });
  const change = `mutation ($id: ID!, $input: UpdateRuleInput!) { updateRule(id: $id, input: $input) { ${shown} } }`;
  const expiresAt = "2030-01-01T00:00:00.000Z";
  const { updateRule } = await person.get(change, {
    id: made?.["id"],
    input: { expiresAt, actions: { keepOnly: true } },
  });
  expect(updateRule).toMatchObject({
    rule: { name: "Pests", expiresAt, actions: { keepOnly: true, tagSubject: null } },
  });
  const list = `query ($id: ID!) { proxyBinding(id: $id) { rules { id } } rules { id title } of: rules(bindingId: $id) { id } }`;
  const ofBinding = [{ id: second?.["id"] }, { id: made?.["id"] }];
  expect(await person.get(list, { id: bindingId })).toMatchObject({
    proxyBinding: { rules: ofBinding },
    of: ofBinding,
    rules: [{ id: all?.["id"], title: "every message" }, ...ofBinding],
  });
  const remove = "mutation ($id: ID!) { deleteRule(id: $id) { id } }";
  expect(await person.get(remove, made)).toEqual({ deleteRule: { id: made?.["id"] } });
  expect(await person.get("query ($id: ID!) { rule(id: $id) { id } }", second)).toEqual({
    rule: { id: second?.["id"] },
  });
});

test("what is wrong is named as the graph knows it, and what is not one's own is not found", async () => {
  const [person, stranger] = await Promise.all([newcomer(), newcomer()]);
  const { id: bindingId } = await madeBinding(person);
  const fault = async (input: object, who = person) => (await who.ask(create, { input })).errors?.[0];
  expect(await fault({ conditions: { from: ["a@b.example", "x"] } })).toMatchObject({
    extensions: { code: "BAD_USER_INPUT", field: "conditions.from[1]" },
  });
  expect(await fault({ expiresAt: "tomorrow" })).toMatchObject({ extensions: { field: "expiresAt" } });
  expect(await fault({ bindingId }, stranger)).toMatchObject({ extensions: { code: "NOT_FOUND" } });
  const made = (await person.get(create, { input: { bindingId } }))["createRule"]?.["rule"];
  for (const query of [
    "query ($id: ID!) { rule(id: $id) { id } }",
    "mutation ($id: ID!) { deleteRule(id: $id) { id } }",
    "mutation ($id: ID!) { moveRule(id: $id, position: 1) { rule { id } } }",
    "mutation ($id: ID!) { updateRule(id: $id, input: {}) { rule { id } } }",
  ])
    for (const id of [made?.["id"], "7"])
      expect((await stranger.ask(query, { id })).errors?.[0]).toMatchObject({ extensions: { code: "NOT_FOUND" } });
});
