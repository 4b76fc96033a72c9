import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { AttackedInstallation, type Owner } from "./support/accounts.ts";

// Somebody wants to read, through the log of their own webhook, what was told to another account, or an email of another account.

let attacked: AttackedInstallation;
let owner: Owner;
let attacker: Owner;

beforeAll(async () => {
  attacked = await AttackedInstallation.start({ CALLBACK_ALLOW_CIDRS: "127.0.0.0/8" });
  [owner, attacker] = [await attacked.owner(), await attacked.owner()];
}, 200_000);
afterAll(() => attacked.dispose());

const log = `{ accountWebhook { calls { nodes { id kind address body emailId email { id subject sender recipient envelopeRecipient } } } } }`;
const subject = "Only for its owner";

/** @returns the email's id */
async function mailTo({ client }: Owner): Promise<string> {
  const set = `mutation { setAccountWebhook(input: { url: "http://127.0.0.1:9/" }) { accountWebhook { url } } }`;
  await client.field(set);
  const made = await client.field(
    `mutation { createProxyBinding(input: { isBrowsable: true }) { proxyBinding { proxyAddress } } }`,
  );
  const to = String(made["proxyBinding"]?.["proxyAddress"]).replace("@", "+secret@");
  return String(emailIds(await sendMail(attacked.installation.smtpPort, { to, subject, text: "x" }))[0]);
}

test("an account sees the calls of its own webhook alone, and of another's email nothing, whatever its log names", async () => {
  const emailId = await mailTo(owner);
  const own = await eventually(async () => {
    const answer = await owner.client.ask(log);
    expect(JSON.stringify(answer.data)).toContain(subject);
    return JSON.stringify(answer.data);
  });
  expect(own).toContain("+secret@");
  expect((await attacker.client.ask(log)).data).toEqual({ accountWebhook: null });

  await mailTo(attacker);
  await eventually(async () => expect(JSON.stringify((await attacker.client.ask(log)).data)).toContain(subject));
  // As if an event could be forged that names the other's email.
  await attacked.sql(
    "update webhook.event_call set body = jsonb_set(body::jsonb, '{emailId}', to_jsonb($2::text))::text where owner_id = $1",
    [attacker.id, emailId],
  );
  const { data, kind } = await attacker.client.ask(log);
  const text = JSON.stringify(data);
  expect(kind).toBe("done");
  expect(text).toContain(emailId);
  for (const secret of [subject, owner.username, "+secret@", `"email":{`]) expect(text).not.toContain(secret);
});

test("a key that may read mail alone does not read the log", async () => {
  const make = `mutation { createApiKey(input: { name: "log", scopes: ["mail:read"] }) { key } }`;
  const { key } = await owner.client.field(make);
  const { data, kind } = await attacked.client({ apiToken: String(key) }).ask(log);
  expect([data, kind]).toEqual([{ accountWebhook: null }, "ScopeMissing"]);
});
