import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import type { Document, RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import type { CapturedMail } from "../support/mail/captured-mail.ts";
import { verifyByDkimpy } from "../support/mail/dkimpy.ts";
import { ownersZone, signed } from "../support/mail/owners-server.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { DnsServer } from "../support/peers/dns-server.ts";

// An account brings a domain, proves it, has addresses on it, and loses it.

const name = "own.example";
const path = "/api/postern/v1/domains";

let dns: DnsServer;
let installation: Installation;
let rest: RestClient;
let domain: Document;
let marks = 0;

beforeAll(async () => {
  dns = await DnsServer.start({ ...ownersZone, [`_dmarc.${name} TXT`]: ["v=DMARC1; p=reject"] });
  const environment = {
    SERVICE_DOMAIN: "fwd.corp.example",
    MAIL_HOSTS: "mx.corp.example",
    DNS_SERVERS: dns.address,
    OPERATOR_ADDRESS: "operator@elsewhere.example",
  };
  installation = await startInstallation({ environment });
  rest = await installation.rest();
  const added = await rest.send("POST", path, { name });
  expect([added.status, added.text]).toEqual([201, expect.stringContaining("postern-verify=")]);
  domain = added.body?.["data"] as Document;
});

afterAll(async () => {
  await installation.dispose();
  await dns.stop();
});

function records(): Record<string, string>[] {
  return domain["records"] as unknown as Record<string, string>[];
}

async function check(): Promise<string> {
  const checked = await rest.send("POST", `${path}/${domain["id"]}/check`);
  expect([checked.status, checked.text]).toEqual([200, expect.any(String)]);
  return String(checked.body?.["data"]?.["state"]);
}

/** The reply to RCPT, or to the end of the message; and the mark that the message can be found by. */
async function send(recipient: string, from: string): Promise<{ reply: string; mark: string }> {
  const mark = `mark-${++marks}-of-own-domains`;
  const client = await SmtpClient.open(installation.smtpPort);
  await client.command("MAIL FROM:<x@attacker.example>");
  const reply = await client.command(`RCPT TO:<${recipient}>`);
  if (!reply.startsWith("250")) {
    client.destroy();
    return { reply: reply.slice(0, 9), mark };
  }
  await client.command("DATA");
  const end = await client.command(`X-Mark: ${mark}\r\nFrom: ${from}\r\nSubject: s\r\n\r\nbody\r\n.`);
  client.destroy();
  return { reply: end.slice(0, 9), mark };
}

/** What left with a mark, to each recipient. */
function left(mark: string, count = 1): Promise<CapturedMail[]> {
  return eventually(async () => {
    const found = (await installation.outbound()).filter(({ message }) => message.includes(mark));
    if (found.length < count) throw new Error(`${found.length} of ${count} left`);
    return found;
  });
}

const headerOf = ({ message }: CapturedMail) =>
  (message.toString("latin1").split("\r\n\r\n", 1)[0] ?? "").replaceAll(/\r\n[ \t]+/g, " ");

/** The domains of its DKIM signatures. */
function signers(mail: CapturedMail): string[] {
  const fields = headerOf(mail).matchAll(/^DKIM-Signature:.*?[; ]d=([^;]+)/gim);
  return [...new Set([...fields].map(([, signer = ""]) => signer))];
}

test("before it is proved no mail is taken for it; afterwards it is", async () => {
  expect(await send(`postmaster@${name}`, "a@sender.example")).toMatchObject({ reply: "550 5.7.1" });
  for (const { name: record, type, expected } of records())
    if (type !== "TXT" || !record?.includes("_domainkey")) dns.zone[`${record} ${type}`] = [expected ?? ""];
  expect(await check()).toBe("verified");
});

test("mail is forwarded unsigned by the domain until its keys are published, and then signed by it", async () => {
  const real_addresses = [installation.account.username];
  const { id, proxyAddress } = await makeBinding(rest, { proxy_address: `me@${name}`, real_addresses });
  const first = await send(proxyAddress, "a@sender.example");
  expect(first.reply).toBe("250 2.0.0");
  const [unsigned] = await left(first.mark);
  if (unsigned) expect(signers(unsigned)).toEqual(["fwd.corp.example"]);
  // Nothing is sent in the domain's name until it can be signed for.
  const contact = { bindingId: id, address: "friend@outside.example" };
  const query =
    "mutation ($bindingId: ID!, $address: String!) { createContact(bindingId: $bindingId, address: $address) { contact { reverseAddress } } }";
  const made = await rest.send("POST", "/graphql", { query, variables: contact });
  const reverseAddress = String(made.body?.["data"]?.["createContact"]?.["contact"]?.["reverseAddress"]);
  expect(await send(reverseAddress, "a@sender.example")).toMatchObject({ reply: "451 4.7.5" });
  for (const { name: record, type, expected } of records()) dns.zone[`${record} ${type}`] = [expected ?? ""];
  expect(await check()).toBe("verified");
  const signed = await eventually(
    async () => {
      const { mark } = await send(proxyAddress, "a@sender.example");
      const [mail] = await left(mark);
      if (!mail || signers(mail).join() !== name) throw new Error("not signed by the domain yet");
      return mail;
    },
    { restMs: 1_000 },
  );
  const keys = records().filter(({ name: record }) => record?.includes("_domainkey"));
  const published = Object.fromEntries(keys.map((key) => [key["name"] ?? "", key["expected"] ?? ""]));
  const verdict = await verifyByDkimpy(signed.message, published);
  expect(verdict.dkim.map(({ isValid }) => isValid)).toEqual([true, true]);
  // Now a stranger's mail there is checked as an answer is.
  expect(await send(reverseAddress, "a@sender.example")).toMatchObject({ reply: "550 5.7.1" });
});

test("an answer from an address of the domain is signed by it", async () => {
  const real_addresses = [installation.account.username];
  const { id, proxyAddress } = await makeBinding(rest, { proxy_address: `answers@${name}`, real_addresses });
  const query = "mutation ($id: ID!) { updateProxyBinding(id: $id, input: { answers: true }) { proxyBinding { id } } }";
  await rest.send("POST", "/graphql", { query, variables: { id } });
  const { mark } = await send(proxyAddress, "a@sender.example");
  const [forwarded] = await left(mark);
  const [reverseAddress = ""] = /re\+[a-z2-7]{26}@own\.example/.exec(forwarded ? headerOf(forwarded) : "") ?? [];
  const message = [
    `From: ${installation.account.username}`,
    `To: ${reverseAddress}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <answer-to-${mark}@mail.example.org>`,
    `Subject: answer-to-${mark}`,
    "",
    "Thank you.",
    "",
  ].join("\r\n");
  const client = await SmtpClient.open(installation.smtpPort);
  const answer = await signed(Buffer.from(message), "example.org");
  const replies = await client.deliver([reverseAddress], answer, installation.account.username);
  client.destroy();
  expect(replies.at(-1)).toMatch(/^250 /);
  const [sent] = await left(`answer-to-${mark}`);
  expect(sent).toMatchObject({ envelopeTo: "a@sender.example" });
  if (sent)
    expect([signers(sent), /^From:.*$/im.exec(headerOf(sent))?.[0]]).toEqual([[name], `From: <${proxyAddress}>`]);
});

test("a stranger's From in the domain's name is replaced: our signature would let it pass", async () => {
  const { reply, mark } = await send(`me@${name}`, `"Boss" <boss@${name}>`);
  expect(reply).toBe("250 2.0.0");
  const [mail] = await left(mark);
  const from = mail && /^From:.*$/im.exec(headerOf(mail))?.[0];
  expect(from).toContain(`<me@${name}>`);
  expect(from).not.toContain(`boss@${name}`);
});

test("abuse@ leads to the owner, and to the operator", async () => {
  const { mark } = await send(`abuse@${name}`, "a@sender.example");
  const recipients = (await left(mark, 2)).map(({ envelopeTo }) => envelopeTo);
  expect(recipients.sort()).toEqual(["operator@elsewhere.example", installation.account.username]);
});

test("a catch-all makes an address of the first mail to it", async () => {
  const patterns = [{ glob: "*", targets: [installation.account.username] }];
  expect((await rest.send("PUT", `${path}/${domain["id"]}/patterns`, { patterns })).status).toBe(200);
  const { reply, mark } = await send(`Never.Seen+tag@${name}`, "a@sender.example");
  expect(reply).toBe("250 2.0.0");
  expect((await left(mark))[0]?.envelopeTo).toBe(installation.account.username);
  await eventually(async () => {
    const listed = await rest.get("/api/v1/proxy-bindings");
    expect(listed.text).toContain(`"proxy_address":"never.seen@${name}"`);
  });
});

test("once the domain is removed its addresses are refused", async () => {
  expect((await rest.send("DELETE", `${path}/${domain["id"]}`)).status).toBe(204);
  expect(await send(`me@${name}`, "a@sender.example")).toMatchObject({ reply: "550 5.7.1" });
});
