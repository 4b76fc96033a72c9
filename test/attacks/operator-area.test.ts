import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newId } from "../../services/platform/ids.ts";
import { AttackedInstallation, type Owner } from "./support/accounts.ts";
import type { GraphClient } from "./support/graph-client.ts";

// Somebody without the right wants to see and do what operators do; an operator wants to see what is none of their business.

let attacked: AttackedInstallation;
let operator: Owner;

const reads = [
  `{ operator { id } }`,
  `{ operator { accounts { id username } } }`,
  `{ operator { actions { id account } } }`,
  `{ operator { domains { id name } } }`,
  `{ operator { destinations { domain waiting } } }`,
  ...["auth", "bindings", "mailbox", "forwarder", "webhook"].map((name) => `{ operator { ${name}DeadEvents { id } } }`),
];
const changes = [
  `mutation ($id: ID!) { setAccountDisabled(id: $id, isDisabled: true) { account { id } } }`,
  `mutation { retryDestination(domain: "example.org") { count } }`,
  `mutation { setDestinationPaused(domain: "example.org", isPaused: true) { domain } }`,
  ...["Auth", "Bindings", "Mailbox", "Forwarder", "Webhook"].map(
    (name) => `mutation ($id: ID!) { resend${name}DeadEvents(ids: [$id]) { count } }`,
  ),
];
const all = [...reads, ...changes];

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
  operator = await attacked.owner();
  await attacked.operator.setOperator({ username: operator.username, isOperator: true });
}, 200_000);
afterAll(() => attacked.dispose());

interface SchemaType {
  inputFields: { name: string }[] | null;
  fields: { args: { name: string }[] }[] | null;
}

/** What each operation was refused with, asked about an account that there is and about one that there is not. */
async function kindsOf(client: GraphClient): Promise<Set<string>> {
  const kinds = new Set<string>();
  for (const query of all)
    for (const id of query.includes("$id") ? [operator.id, newId()] : [undefined])
      kinds.add(await client.kindOf(query, id === undefined ? {} : { id }));
  return kinds;
}

test("the operator sees each of them", async () => {
  for (const query of reads) expect(await operator.client.kindOf(query)).toBe("done");
});

describe("nothing is seen or done by", () => {
  test("who has not signed in", async () => {
    expect(await kindsOf(attacked.client())).toEqual(new Set(["CredentialsMissing"]));
  });

  test("an account without the right, whatever it asks about", async () => {
    const { client } = await attacked.owner();
    expect(await kindsOf(client)).toEqual(new Set(["Forbidden"]));
  });

  test("the operator's API token", async () => {
    const { apiToken } = await operator.client.field(`{ me { apiToken } }`);
    expect(await kindsOf(attacked.client({ apiToken: String(apiToken) }))).toEqual(new Set(["Forbidden"]));
  });

  test("an API key of the operator's for the whole account", async () => {
    const { key } = await operator.client.field(
      `mutation { createApiKey(input: { name: "all", scopes: ["admin"] }) { key } }`,
    );
    expect(await kindsOf(attacked.client({ apiToken: String(key) }))).toEqual(new Set(["ScopeMissing"]));
  });

  test("a session that still owes the second factor", async () => {
    const owing = await attacked.owner();
    await attacked.operator.setOperator({ username: owing.username, isOperator: true });
    await attacked.sql(
      `insert into auth.second_factor (account_id, sealed, confirmed_at) values ($1, '\\x00', now())`,
      [owing.id],
    );
    expect(await kindsOf(owing.client)).toEqual(new Set(["SecondFactorRequired"]));
  });

  test("an account from the moment that the right is taken away", async () => {
    const former = await attacked.owner();
    await attacked.operator.setOperator({ username: former.username, isOperator: true });
    expect(await former.client.kindOf(`{ operator { id } }`)).toBe("done");
    await attacked.operator.setOperator({ username: former.username, isOperator: false });
    expect(await kindsOf(former.client)).toEqual(new Set(["Forbidden"]));
  });

  test("a session of the operator's that was left open: changing an account takes a fresh proof", async () => {
    const { id } = await attacked.owner();
    const [change = ""] = changes;
    await attacked.sql(`update auth.session set proved_at = proved_at - interval '30 minutes' where account_id = $1`, [
      operator.id,
    ]);
    expect(await operator.client.kindOf(change, { id })).toBe("FreshProofRequired");
    await attacked.sql(`update auth.session set proved_at = now() where account_id = $1`, [operator.id]);
  });
});

test("an operator disables an account, which ends its session, and enables it; both are kept with who did it", async () => {
  const stranger = await attacked.owner();
  const change = `mutation ($id: ID!, $isDisabled: Boolean!) {
    setAccountDisabled(id: $id, isDisabled: $isDisabled) { account { id isDisabled } }
  }`;
  const { account } = await operator.client.field(change, { id: stranger.id, isDisabled: true });
  expect(account).toEqual({ id: stranger.id, isDisabled: true });
  expect(await stranger.client.kindOf(`{ me { id } }`)).toBe("BearerTokenInvalid");
  await operator.client.field(change, { id: stranger.id, isDisabled: false });
  const { actions } = await operator.client.field(`{ operator { actions(first: 2) { operator action account } } }`);
  const by = { operator: operator.username, account: stranger.username };
  expect(actions).toEqual([
    { ...by, action: "account.enabled" },
    { ...by, action: "account.disabled" },
  ]);
});

test("an operator does not disable the own account, and of nobody is told that it is not there", async () => {
  const [change = ""] = changes;
  expect(await operator.client.kindOf(change, { id: operator.id })).toBe("Conflict");
  expect(await operator.client.kindOf(change, { id: newId() })).toBe("NotFound");
  expect(await operator.client.kindOf(change, { id: "no id" })).toBe("NotFound");
});

test("nobody gives the right to an account by signing up, by an import or over REST", async () => {
  const { types } = await attacked
    .client()
    .field(`{ __schema { types { kind name inputFields { name } fields { name args { name } } } } }`);
  const names = (types as unknown as SchemaType[]).flatMap(({ inputFields, fields }) => [
    ...(inputFields ?? []).map(({ name }) => name),
    ...(fields ?? []).flatMap(({ args }) => args.map(({ name }) => name)),
  ]);
  expect(names).toContain("isDisabled");
  expect(names).not.toContain("isOperator");
});

test("pages are bounded, and cursors are checked", async () => {
  expect(await operator.client.kindOf(`{ operator { accounts(first: 101) { id } } }`)).toBe("ValidationFailed");
  expect(await operator.client.kindOf(`{ operator { accounts(after: "x") { id } } }`)).toBe("ValidationFailed");
  const page = await operator.client.field(`{ operator { accounts(search: "OWNER-1@", first: 5) { username } } }`);
  expect(page).toEqual({ accounts: [{ username: operator.username }] });
});

test("of a dead event an operator sees the beginning of the error, without the address in it, and has it processed again", async () => {
  const id = newId();
  await attacked.sql(
    `insert into mailbox.dead_event (id, consumer_group, topic, event_id, key, payload, headers, occurred_at, error)
     values ($1, 'mailbox.gone', 'mail.accepted', $2, '', 'the event', '{}', now(), $3)`,
    [id, newId(), "cannot read mail to jane@example.org\n    at somewhere (file.ts:1:1)"],
  );
  const { mailboxDeadEvents: events } = await operator.client.field(
    `{ operator { mailboxDeadEvents { id payloadBytes error resendAskedAt } } }`,
  );
  const shown = { id, payloadBytes: 9, error: "cannot read mail to [redacted]" };
  expect(events).toEqual([{ ...shown, resendAskedAt: null }]);
  const resent = await operator.client.field(`mutation ($id: ID!) { resendMailboxDeadEvents(ids: [$id]) { count } }`, {
    id,
  });
  expect(resent).toEqual({ count: 1 });
});
