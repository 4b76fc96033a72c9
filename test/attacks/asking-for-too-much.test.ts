import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newId } from "../../services/platform/ids.ts";
import { eventually } from "../support/eventually.ts";
import { type MadeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import type { Document, RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { asSuperuser } from "../support/peers/database.ts";

// Whoever has an account sends itself long mail, and asks for all of it at once.

let installation: Installation;
let rest: RestClient;
let binding: MadeBinding;

const mebibyte = 1024 * 1024;
const longEmails = 6;

beforeAll(async () => {
  installation = await startInstallation({ environment: { PAYLOAD_LIMIT_MB: "1" } });
  rest = await installation.rest();
  binding = await makeBinding(rest, { real_addresses: [], is_browsable: true });
  const client = await SmtpClient.open(installation.smtpPort);
  const subject = `${"long ".repeat(15)}\r\n `.repeat(300);
  const message = `From: a@example.org\r\nSubject: ${subject}\r\n\r\n${"a line of text\r\n".repeat(15_000)}`;
  for (let count = 0; count < longEmails; count++)
    expect((await client.deliver([binding.proxyAddress], message)).at(-1)).toMatch(/^250 /);
  client.destroy();
}, 180_000);
afterAll(() => installation?.dispose());

async function links(): Promise<Document[]> {
  const { body } = await rest.get(`/api/v1/received-emails-links/${binding.id}`);
  return body?.["data"] ?? [];
}

test("subjects are cut where lists show them", async () => {
  await eventually(async () => expect(await links()).toHaveLength(longEmails));
  for (const link of await links()) expect(String(link["attributes"]?.["subject"])).toHaveLength(998);
});

test("an answer of the graph carries so much of contents and no more; what is left out is said", async () => {
  await eventually(async () => expect(await links()).toHaveLength(longEmails));
  const query = `query ($id: ID!) {
    proxyBinding(id: $id) { emails(first: 100) { nodes { id text html again: text headers { name value } } } }
  }`;
  const answer = await rest.send("POST", "/graphql", { query, variables: { id: binding.id } });
  const { data, errors } = answer.body as unknown as {
    data: { proxyBinding: { emails: { nodes: { id: string; text: string | null }[] } } };
    errors: { extensions: { kind: string }; path: string[] }[];
  };
  const { nodes } = data.proxyBinding.emails;
  expect(nodes).toHaveLength(longEmails);
  expect(nodes.some(({ text }) => text !== null)).toBe(true);
  expect(new Set(errors.map(({ extensions }) => extensions.kind))).toEqual(new Set(["AnswerTooLarge"]));
  expect(answer.text.length).toBeLessThan(1.5 * mebibyte);
});

test("a list that is long comes whole, unasked for pages, and as it is made", async () => {
  const count = 1_300;
  const [known] = await links();
  const ids = Array.from({ length: count }, () => newId());
  const url = await installation.databaseUrl();
  for (const [table, key] of [
    ["email", "id"],
    ["content", "email_id"],
  ])
    await asSuperuser(
      url,
      `insert into mailbox.${table} select (jsonb_populate_record(known, jsonb_build_object('${key}', more.id))).*
         from mailbox.${table} as known, unnest($1::uuid[]) as more (id) where known.${key} = $2`,
      [ids, known?.["id"]],
    );
  const answer = await rest.get(`/api/v1/received-emails-links/${binding.id}`);
  expect(answer.body?.["data"]).toHaveLength(count + longEmails);
  expect(answer.body).not.toHaveProperty("links");
  // Its length was not known when it began.
  expect(answer.headers.get("content-length")).toBeNull();
  expect(answer.text.length).toBeGreaterThan(mebibyte);
});
