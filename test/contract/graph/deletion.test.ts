import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { Authenticator } from "../../support/http/authenticator.ts";
import type { SharedInstallation } from "../../support/installation/shared-installation.ts";
import { emailIds, sendMail } from "../../support/mail/send-mail.ts";
import { totp } from "../support/totp.ts";
import { madeBinding, newAccount, password, type TestAccount } from "./support/accounts.ts";
import { answered, ask, type Json } from "./support/ask.ts";
import { graphInstallation } from "./support/installation.ts";
import { linkFor } from "./support/links.ts";
import { WholeDatabase } from "./support/traces.ts";

let installation: SharedInstallation;
let database: WholeDatabase;

beforeAll(async () => {
  installation = await graphInstallation();
  database = new WholeDatabase(await installation.databaseUrl());
  // A fleet takes its time to start.
}, 200_000);
afterAll(() => database.close());

/** What may stay of an account that is gone: bare ids, which lead to nothing any more, so that events that come late change nothing. */
const mayHoldIds = [
  "bindings.owner.id",
  "forwarder.closed_account.id",
  "webhook.closed_account.id",
  "mailbox.erasure.owner_id",
  "mailbox.erasure.binding_id",
  "mailbox.email.id",
  "mailbox.timeline.email_id",
  "mailbox.timeline.target_id",
];

interface Traces {
  /** What says something of the person. */
  words: string[];
  /** What stood for them and what was theirs. */
  ids: string[];
  proxyAddresses: string[];
}

/** Somebody who has used all there is. */
async function inhabitant(): Promise<{ account: TestAccount; traces: Traces; removedId: string }> {
  const account = await newAccount();
  const mark = account.username.replace(/@.*/, "");
  const headers = { authorization: `Bearer ${account.bearer}`, "x-forwarded-for": "2001:db8:dead:beef::7" };
  const signedIn = await answered(
    ask(
      `mutation ($u: String!, $p: String!) { signIn(username: $u, password: $p) { account { sessions { id } } } }`,
      { u: account.username, p: password },
      headers,
    ),
  );
  const sessions = signedIn["signIn"]?.["account"]?.["sessions"] as unknown as { id: string }[];
  const passkeyId = await passkey(account, `${mark}'s key`);
  await ask(`mutation ($u: String!) { requestPasswordReset(username: $u) { isAccepted } }`, { u: account.username });
  await linkFor(account.username, "reset");

  const recorder = (await account.get(`mutation { createRecorder { recorder { id callUrl } } }`))["createRecorder"]?.[
    "recorder"
  ];
  await fetch(String(recorder?.["callUrl"]), { method: "POST", body: `${mark} calls` });
  const kept = await madeBinding(account, {
    description: `${mark} describes`,
    isBrowsable: true,
    callbackUrl: `http://127.0.0.1:1/${mark}-hook`,
    realAddresses: [account.username, `${mark}-second@example.net`],
  });
  const removed = await madeBinding(account, { isBrowsable: true });
  const emails = await Promise.all([mailTo(kept.proxyAddress, mark), mailTo(removed.proxyAddress, mark)]);
  await eventually(async () => expect(await stateOf(account, emails[0])).toEqual(["delivered", "waiting"]));
  await secondFactor(account);

  return {
    account,
    removedId: removed.id,
    traces: {
      words: [mark, "2001:db8:dead:beef::7"],
      ids: [
        account.id,
        passkeyId,
        String(recorder?.["id"]),
        kept.id,
        removed.id,
        ...emails,
        ...sessions.map(({ id }) => id),
      ],
      proxyAddresses: [kept.proxyAddress, removed.proxyAddress],
    },
  };
}

async function passkey(account: TestAccount, name: string): Promise<string> {
  const begin = `mutation ($password: String!) { beginPasskeyRegistration(password: $password) { optionsJson } }`;
  const finish = `mutation ($json: String!, $name: String!) { finishPasskeyRegistration(responseJson: $json, name: $name) { passkey { id } } }`;
  const options = String((await account.get(begin, { password }))["beginPasskeyRegistration"]?.["optionsJson"]);
  const json = new Authenticator(installation.url).create(options);
  // One that nobody will answer.
  await account.get(begin, { password });
  return String((await account.get(finish, { json, name }))["finishPasskeyRegistration"]?.["passkey"]?.["id"]);
}

async function secondFactor(account: TestAccount): Promise<void> {
  const secret = String((await account.get(`mutation { enableTwoFactor { secret } }`))["enableTwoFactor"]?.["secret"]);
  await account.get(`mutation ($code: String!) { confirmSecondFactor(code: $code) { recoveryCodes } }`, {
    code: totp(secret),
  });
}

/** An email that is too large for one row, with the mark in every part of it. */
async function mailTo(to: string, mark: string): Promise<string> {
  const sent = await sendMail(installation.smtpPort, {
    from: `${mark} <${mark}@example.com>`,
    to,
    subject: `${mark} writes`,
    text: `${`${mark} says much.\r\n`.repeat(12_000)}`,
    attachments: [{ filename: `${mark}.txt`, content: `${mark} attached`, contentType: "text/plain" }],
    textEncoding: "quoted-printable",
  });
  return String(emailIds(sent)[0]);
}

async function stateOf(account: TestAccount, id: string | undefined): Promise<unknown[]> {
  const query = `query ($id: ID!) { receivedEmail(id: $id) { subject deliveries { state } callback { state attempts { at } } } }`;
  const found = (await account.get(query, { id }))["receivedEmail"];
  const deliveries = found?.["deliveries"] as unknown as Json[] | null;
  const attempts = found?.["callback"]?.["attempts"] as unknown as Json[] | undefined;
  expect(attempts).toHaveLength(1);
  return [deliveries?.[0]?.["state"], found?.["callback"]?.["state"]];
}

test("nothing of an account that was deleted is left in any table, but bare ids and the digests of its addresses", async () => {
  const { account, traces, removedId } = await inhabitant();
  const { words, ids, proxyAddresses } = traces;
  // All of it is there to be found; or the search would prove nothing.
  for (const [word, places] of await database.placesOfEach([...words, ...ids, ...proxyAddresses]))
    expect({ word, places }).toEqual({ word, places: expect.arrayContaining([expect.any(String)]) });

  // One binding goes before the account does.
  await account.get(`mutation ($id: ID!) { deleteProxyBinding(id: $id) { id } }`, { id: removedId });
  await account.get(`mutation ($password: String!) { deleteAccount(password: $password) { id } }`, { password });
  const sealed = async () => await database.placesOf([...words, ...proxyAddresses]);
  await eventually(async () => expect(await sealed()).toEqual([]), { restMs: 500 });
  await eventually(
    async () => {
      const places = await database.placesOf(ids);
      expect(places.filter((place) => !mayHoldIds.includes(place))).toEqual([]);
    },
    { restMs: 500 },
  );
  // Nobody else may ever have the addresses: their digests stay, and not whose they were.
  const digests = await database.valuesOf("bindings.address_claim.digest");
  for (const address of proxyAddresses)
    expect(digests).toContain(`\\x${createHash("sha256").update(address).digest("hex")}`);
});
