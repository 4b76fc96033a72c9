import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { SmtpClient } from "../support/mail/smtp.ts";

let installation: Installation;
let rest: RestClient;

beforeAll(async () => {
  installation = await startInstallation({ environment: { QUOTA_STORAGE_MB: "1" } });
  rest = await installation.rest();
});
afterAll(() => installation?.dispose());

const large = `Subject: large\r\n\r\n${`${"x".repeat(76)}\r\n`.repeat(8_000)}`;

/** The answer to RCPT. */
async function offer(address: string): Promise<string> {
  const client = await SmtpClient.open(installation.smtpPort);
  await client.command("MAIL FROM:<author@example.org>");
  const reply = await client.command(`RCPT TO:<${address}>`);
  client.destroy();
  return reply;
}

async function send(address: string): Promise<void> {
  const client = await SmtpClient.open(installation.smtpPort);
  expect((await client.deliver([address], large)).at(-1)).toMatch(/^250 /);
  client.destroy();
}

async function storage(): Promise<unknown> {
  const query = { query: "{ me { storage { usedMb limitMb } } }" };
  return (await rest.send("POST", "/graphql", query)).body?.["data"]?.["me"]?.["storage"];
}

test("an address that only keeps mail refuses it for now once the storage is full; others go on", async () => {
  const keeping = await makeBinding(rest, { is_browsable: true });
  const forwarding = await makeBinding(rest, {
    is_browsable: true,
    real_addresses: [installation.account.username],
  });
  expect(await storage()).toEqual({ usedMb: 0, limitMb: 1 });
  await send(keeping.proxyAddress);
  await send(keeping.proxyAddress);
  await eventually(async () => expect(await offer(keeping.proxyAddress)).toMatch(/^452[ -]4\.2\.2 /));
  await send(forwarding.proxyAddress);
  await eventually(async () => expect(await installation.outbound()).toHaveLength(1));
  const links = await rest.get(`/api/v1/received-emails-links/${keeping.id}`);
  expect((await rest.get(`/api/v1/received-emails-links/${forwarding.id}`)).body?.["data"]).toEqual([]);
  const newest = String(links.body?.["data"]?.[0]?.["id"]);
  expect((await rest.send("DELETE", `/api/v1/received-emails/${newest}`)).status).toBe(204);
  await eventually(async () => expect(await offer(keeping.proxyAddress)).toMatch(/^250 /));
});
