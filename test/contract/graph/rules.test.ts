import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { madeBinding, newAccount } from "./support/accounts.ts";
import { graphInstallation } from "./support/installation.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

const shown = `rule { id name title position binding { id } domain { id } conditions { senders from dmarc tags largerThan }
  actions { refuse discard tagSubject forwardTo callbackOnly keepOnly limitPerHour } expiresAt hits lastHitAt }`;
const create = `mutation ($input: CreateRuleInput!) { createRule(input: $input) { ${shown} } }`;

test("a rule is made, changed, moved, listed and removed", async () => {
  const account = await newAccount();
  const { id: bindingId } = await madeBinding(account);
  const conditions = { from: ["Pest@X.example"], dmarc: ["fail", "unknown"], largerThan: 1_000 };
  const input = { bindingId, conditions, actions: { tagSubject: "[pest]", refuse: null }, name: "Pests" };
  const made = (await account.get(create, { input }))["createRule"]?.["rule"];
  expect(made).toEqual({
    id: expect.any(String),
    name: "Pests",
    title: "Pests",
    position: 0,
    binding: { id: bindingId },
    domain: null,
    conditions: { senders: null, from: ["pest@x.example"], dmarc: ["fail", "unknown"], tags: null, largerThan: 1_000 },
    actions: {
      refuse: false,
      discard: false,
      tagSubject: "[pest]",
      forwardTo: [],
      callbackOnly: false,
      keepOnly: false,
      limitPerHour: null,
    },
    expiresAt: null,
    hits: 0,
    lastHitAt: null,
  });
  const second = (await account.get(create, { input: { bindingId } }))["createRule"]?.["rule"];
  const all = (await account.get(create, { input: {} }))["createRule"]?.["rule"];
  const { moveRule } = await account.get(
    "mutation ($id: ID!) { moveRule(id: $id, position: 0) { rule { position } } }",
    second,
  );
  expect(moveRule).toEqual({ rule: { position: 0 } });
  const change = `mutation ($id: ID!, $input: UpdateRuleInput!) { updateRule(id: $id, input: $input) { ${shown} } }`;
  const expiresAt = "2030-01-01T00:00:00.000Z";
  const { updateRule } = await account.get(change, {
    id: made?.["id"],
    input: { expiresAt, actions: { keepOnly: true } },
  });
  expect(updateRule).toMatchObject({
    rule: { name: "Pests", expiresAt, actions: { keepOnly: true, tagSubject: null } },
  });
  const list = `query ($id: ID!) { proxyBinding(id: $id) { rules { id } } rules { id title } of: rules(bindingId: $id) { id } }`;
  const ofBinding = [{ id: second?.["id"] }, { id: made?.["id"] }];
  expect(await account.get(list, { id: bindingId })).toMatchObject({
    proxyBinding: { rules: ofBinding },
    of: ofBinding,
    rules: [{ id: all?.["id"], title: "every message" }, ...ofBinding],
  });
  const remove = "mutation ($id: ID!) { deleteRule(id: $id) { id } }";
  expect(await account.get(remove, made)).toEqual({ deleteRule: { id: made?.["id"] } });
  expect(await account.get("query ($id: ID!) { rule(id: $id) { id } }", second)).toEqual({
    rule: { id: second?.["id"] },
  });
});

test("what is wrong is named as the graph knows it, and what is not one's own is not found", async () => {
  const [account, stranger] = await Promise.all([newAccount(), newAccount()]);
  const { id: bindingId } = await madeBinding(account);
  const fault = async (input: object, who = account) => (await who.ask(create, { input })).errors?.[0];
  expect(await fault({ conditions: { from: ["a@b.example", "x"] } })).toMatchObject({
    extensions: { code: "BAD_USER_INPUT", field: "conditions.from[1]" },
  });
  for (const expiresAt of ["tomorrow", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"])
    expect(await fault({ expiresAt })).toMatchObject({ extensions: { field: "expiresAt" } });
  expect(await fault({ bindingId }, stranger)).toMatchObject({ extensions: { code: "NOT_FOUND" } });
  const made = (await account.get(create, { input: { bindingId } }))["createRule"]?.["rule"];
  for (const query of [
    "query ($id: ID!) { rule(id: $id) { id } }",
    "mutation ($id: ID!) { deleteRule(id: $id) { id } }",
    "mutation ($id: ID!) { moveRule(id: $id, position: 1) { rule { id } } }",
    "mutation ($id: ID!) { updateRule(id: $id, input: {}) { rule { id } } }",
  ])
    for (const id of [made?.["id"], "7"])
      expect((await stranger.ask(query, { id })).errors?.[0]).toMatchObject({ extensions: { code: "NOT_FOUND" } });
});

async function received(
  account: Awaited<ReturnType<typeof newAccount>>,
  bindingId: string,
  subject: string,
): Promise<string> {
  const query =
    "query ($id: ID!) { emails(filter: { bindingId: $id }) { nodes { id subject isKept outcomes { expected } } } }";
  return eventually(async () => {
    const { emails } = await account.get(query, { id: bindingId });
    const nodes = (emails?.["nodes"] ?? []) as unknown as { id: string; subject: string }[];
    const found = nodes.find((email) => email.subject === subject);
    if (!found) throw new Error(`nothing came: ${JSON.stringify(nodes)}`);
    return found.id;
  });
}

const block = `mutation ($emailId: ID!, $scope: BlockScope!) {
  blockSender(emailId: $emailId, scope: $scope) { rule { id position conditions { from senders } actions { refuse } binding { id } } }
}`;

test("the sender of an email is blocked in one click, for its address or for all, once", async () => {
  const { smtpPort } = await graphInstallation();
  const [account, stranger] = await Promise.all([newAccount(), newAccount()]);
  const { id: bindingId, proxyAddress } = await madeBinding(account, { isBrowsable: true });
  const mail = { from: "Pest <pest@x.example>", to: proxyAddress, subject: "Buy", text: "Now" };
  await sendMail(smtpPort, mail);
  const emailId = await received(account, bindingId, "Buy");
  expect((await stranger.ask(block, { emailId, scope: "BINDING" })).errors?.[0]).toMatchObject({
    extensions: { code: "NOT_FOUND" },
  });
  const conditions = { from: ["pest@x.example"], senders: null };
  const { blockSender } = await account.get(block, { emailId, scope: "BINDING" });
  expect(blockSender).toMatchObject({
    rule: { position: 0, conditions, actions: { refuse: true }, binding: { id: bindingId } },
  });
  await expect(sendMail(smtpPort, mail)).rejects.toThrow("550 5.7.1");
  expect((await account.get(block, { emailId, scope: "BINDING" }))["blockSender"]).toEqual(blockSender);
  expect((await account.get(block, { emailId, scope: "ACCOUNT" }))["blockSender"]).toMatchObject({
    rule: { binding: null, conditions },
  });
});

test("a dry run says what a rule would have done, and what cannot be told", async () => {
  const { smtpPort } = await graphInstallation();
  const account = await newAccount();
  const kept = await madeBinding(account, { isBrowsable: true });
  const other = await madeBinding(account, { isBrowsable: false, realAddresses: [account.username] });
  const send = (to: string, subject: string) => sendMail(smtpPort, { from: "a@shop.example", to, subject, text: "x" });
  await send(kept.proxyAddress, "An offer");
  await send(kept.proxyAddress.replace("@", "+x@"), "Hello");
  await send(other.proxyAddress, "An offer");
  const offer = await received(account, kept.id, "An offer");
  await received(account, kept.id, "Hello");
  const query = `query ($input: RuleDryRunInput!) {
    ruleDryRun(input: $input) { emailsChecked matched undecided undecidedConditions isComplete emails { id } }
  }`;
  const run = async (input: object) => (await account.get(query, { input }))["ruleDryRun"];
  await eventually(async () =>
    expect(await run({ conditions: { subjectContains: ["OFFER"] } })).toEqual({
      emailsChecked: 3,
      matched: 1,
      undecided: 1,
      undecidedConditions: ["subjectContains"],
      isComplete: true,
      emails: [{ id: offer }],
    }),
  );
  expect(
    await run({ conditions: { senders: ["shop.example"], clientNetworks: ["127.0.0.0/8", "::1"] } }),
  ).toMatchObject({ matched: 3 });
  expect(
    await run({ bindingId: kept.id, conditions: { tags: ["x"], dmarc: ["none", "unknown"], dkim: ["none"] } }),
  ).toMatchObject({
    emailsChecked: 2,
    matched: 1,
    undecided: 0,
  });
  expect(await run({ bindingId: kept.id, conditions: { listIds: ["l.example"] } })).toMatchObject({
    emailsChecked: 2,
    matched: 0,
  });
  const wrong = (await account.ask(query, { input: { conditions: { from: ["x"] } } })).errors?.[0];
  expect(wrong).toMatchObject({ extensions: { code: "BAD_USER_INPUT", field: "conditions.from[0]" } });
});
