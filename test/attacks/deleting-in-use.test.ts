import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { type CallbackTarget, callbackTarget } from "../support/http/callback-target.ts";
import { type MadeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import { type RestClient, restClient } from "../support/http/rest-client.ts";
import { MailLoad } from "../support/mail/mail-load.ts";
import { AttackedInstallation, type Owner, password } from "./support/accounts.ts";

// What is deleted while others use it: no request fails for it, nothing of it stays, and mail that got its 250 is accounted for.

let attacked: AttackedInstallation;
let target: CallbackTarget;

beforeAll(async () => {
  target = await callbackTarget();
  attacked = await AttackedInstallation.start({
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
  });
}, 200_000);
afterAll(async () => {
  await attacked?.dispose();
  await target?.close();
});

async function ownerWithBindings(count: number): Promise<{ owner: Owner; rest: RestClient; made: MadeBinding[] }> {
  const owner = await attacked.owner();
  const rest = await restClient(attacked.installation.url, { username: owner.username, password });
  const made: MadeBinding[] = [];
  for (let index = 0; index < count; index++)
    made.push(
      await makeBinding(rest, {
        real_addresses: [owner.username],
        is_browsable: index % 2 === 0,
        callback_url: index % 3 === 0 ? target.url : "",
      }),
    );
  return { owner, rest, made };
}

function loadTo(made: readonly MadeBinding[], name: string): MailLoad {
  const recipients = made.map(({ proxyAddress }) => [proxyAddress]);
  return new MailLoad({ port: attacked.installation.smtpPort, recipients, name, sessions: 10, restMs: 5 });
}

/** Lines of the log that tell of a fault. */
function faults(): string[] {
  return attacked.installation
    .output()
    .split("\n")
    .filter((line) => /"level":"?(50|60|error|fatal)"?|uncaught|unhandled/i.test(line));
}

/** Those of which neither every outcome is known nor all is erased, or whose bytes are held though nobody reads them. */
async function unaccounted(emailIds: readonly string[]): Promise<unknown[]> {
  return attacked.sql(
    `select given.id, is_processed, erased_at, is_released from unnest($1::uuid[]) as given (id) left join mailbox.email using (id)
      where (erased_at is not null and is_released) is not true`,
    [emailIds],
  );
}

/** Rows that mailbox keeps of an account, besides that it was erased. */
async function keptOf(ownerId: string): Promise<unknown[]> {
  return attacked.sql(
    `select (select count(*)::int from mailbox.email where owner_id = $1) as emails,
            (select count(*)::int from mailbox.content where kept_owner_id = $1) as contents,
            (select count(*)::int from mailbox.mail_entry where owner_id = $1) as entries,
            (select count(*)::int from mailbox.mail_search where owner_id = $1) as words`,
    [ownerId],
  );
}

const nothing = [{ emails: 0, contents: 0, entries: 0, words: 0 }];

async function expectErased(load: MailLoad, ownerId: string): Promise<void> {
  const ids = load.accepted.flatMap(({ emailIds }) => emailIds);
  expect(ids.length).toBeGreaterThan(40);
  await eventually(async () => {
    expect(await unaccounted(ids)).toEqual([]);
    expect(await keptOf(ownerId)).toEqual(nothing);
  });
  expect(faults()).toEqual([]);
}

test("bindings that are removed while mail comes in, each by two requests at once", async () => {
  const { owner, rest, made } = await ownerWithBindings(12);
  const load = loadTo(made, "removed");
  await load.acceptedMore(40);
  for (const { id } of made) {
    const answers = await Promise.all([1, 2].map(() => rest.send("DELETE", `/api/v1/proxy-bindings/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    await load.refusedMore(1);
  }
  await load.stop();
  await expectErased(load, owner.id);
});

test("an account that is closed twice at once while its mail comes in and its callbacks are made", async () => {
  const { owner, made } = await ownerWithBindings(12);
  const load = loadTo(made, "closed");
  await load.acceptedMore(40);
  const close = "mutation ($password: String) { deleteAccount(password: $password) { id } }";
  const kinds = await Promise.all([1, 2].map(() => owner.client.kindOf(close, { password })));
  expect(kinds.filter((kind) => kind === "done")).toHaveLength(1);
  await load.refusedMore(30);
  await load.stop();
  await expectErased(load, owner.id);
});
