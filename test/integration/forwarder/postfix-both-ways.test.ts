import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { type PostfixServer, startPostfix } from "../../../scripts/peers/postfix.ts";
import { lifetimeDays, ReversePaths } from "../../../services/message/address/reverse-path.ts";
import { newId } from "../../../services/platform/ids.ts";
import { Secrets } from "../../../services/platform/security/secrets.ts";
import { eventually } from "../../support/eventually.ts";
import { type MadeBinding, makeBinding } from "../../support/http/rest-bindings.ts";
import { call, type Document, type RestClient } from "../../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../../support/installation/installation.ts";
import { SmtpClient } from "../../support/mail/smtp.ts";
import { SinkRefusal, SmtpSink } from "../../support/mail/smtp-sink.ts";
import { DnsServer } from "../../support/peers/dns-server.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

// One Postfix hands mail to us, another takes it from us and passes it on, or sends its own bounce back.

const secretKey = "a secret key of this test, long enough";
const dayMs = 86_400_000;

let smtpPort: number;
let names: DnsServer;
/** Where the second Postfix passes mail on to. */
let beyond: SmtpSink;
let sending: PostfixServer;
let receiving: PostfixServer;
let installation: Installation;
let rest: RestClient;
let binding: MadeBinding;
const real = () => installation.account.username;

beforeAll(async () => {
  [smtpPort = 0] = await freePorts(1);
  names = await DnsServer.start({ "author.example TXT": ["v=spf1 ip4:127.0.0.1 -all"] });
  beyond = await SmtpSink.start({
    atMessage: ({ recipient, bytes }) => {
      if (recipient === real() && bytes.includes("Subject: refuse-me"))
        throw new SinkRefusal(550, `5.1.1 <${real()}> has no mailbox at provider.example`);
    },
  });
  [sending, receiving] = await Promise.all([
    startPostfix([`relayhost = [127.0.0.1]:${smtpPort}`]),
    startPostfix([
      `relayhost = [127.0.0.1]:${beyond.port}`,
      `transport_maps = inline:{postern.localhost=smtp:[127.0.0.1]:${smtpPort}}`,
    ]),
  ]);
  installation = await startInstallation({
    mode: "single",
    environment: {
      SMTP_PORT: String(smtpPort),
      SECRET_KEY: secretKey,
      DNS_SERVERS: names.address,
      OUTBOUND: `smtp://127.0.0.1:${receiving.smtpPort}`,
    },
  });
  rest = await installation.rest();
  binding = await makeBinding(rest, { real_addresses: [real()], is_browsable: true });
}, peerInstallLimitMs);
afterAll(async () => {
  await installation?.dispose();
  await Promise.all([sending?.stop(), receiving?.stop(), beyond?.stop(), names?.stop()]);
});

/** As an author's program hands it to the author's own Postfix. */
async function write(content: string): Promise<void> {
  const client = await SmtpClient.open(sending.smtpPort);
  const replies = await client.deliver(
    [binding.proxyAddress],
    content.replaceAll("\r\n.", "\r\n.."),
    "author@author.example",
  );
  expect(replies.at(-1)).toMatch(/^250 /);
  client.destroy();
}

function arrived(recipient: string, mark: string) {
  return eventually(() => {
    const found = beyond.messages.find((message) => message.recipient === recipient && message.bytes.includes(mark));
    if (!found) throw new Error(`nothing with ${mark} for ${recipient} yet`);
    return found;
  });
}

/** What the owner sees of the newest email. */
async function newest(): Promise<Document> {
  const query = `query ($id: ID!) { proxyBinding(id: $id) { emails(first: 1) { nodes {
    subject timeline { kind target detail } deliveries { realAddress state attempts { response } } } } } }`;
  const answer = await call(
    `${installation.url}/graphql`,
    "POST",
    { query, variables: { id: binding.id } },
    { token: rest.token },
  );
  return answer.body?.["data"]?.["proxyBinding"]?.["emails"]?.["nodes"]?.[0] as Document;
}

test("what one Postfix hands over comes to the other, octet for octet below what was put on top", async () => {
  const message = `From: author@author.example\r\nTo: ${binding.proxyAddress}\r\nSubject: pass-me\r\nDate: Sat, 20 Jan 2024 02:00:46 +0000\r\nMessage-ID: <1@author.example>\r\n\r\n.a dot\r\n..\r\n\r\n\tlast  \r\n`;
  await write(message);
  const sunk = await arrived(real(), "Subject: pass-me");
  expect(sunk.bytes.toString("latin1").endsWith(message)).toBe(true);
  expect(sunk.sender).toMatch(/^bounce\+[a-z2-7]+@postern\.localhost$/);
  expect(sunk.bytes.toString()).toMatch(/^Authentication-Results: postern\.localhost;[\s\S]*?spf=pass/m);
});

test("a bounce that comes back is on the timeline, and its author is told without a word of the real address", async () => {
  await write("From: author@author.example\r\nSubject: refuse-me\r\nMessage-ID: <2@author.example>\r\n\r\nhello\r\n");
  const report = await arrived("author@author.example", "Status: 5.1.1");
  expect(report.sender).toBe("");
  const text = report.bytes.toString();
  expect(text).toContain(`Final-Recipient: rfc822; ${binding.proxyAddress}`);
  expect(text).not.toMatch(/owner|example\.org|provider\.example/i);
  const email = await eventually(async () => {
    const found = await newest();
    expect(found["deliveries"]?.[0]?.["state"]).toBe("bounced");
    // The mailbox records it a moment after the forwarder.
    expect(JSON.stringify(found["timeline"])).toContain("5.1.1");
    return found;
  });
  expect(email["subject"]).toBe("refuse-me");
  // To the owner, all of it.
  expect(email["deliveries"]?.[0]?.["attempts"]?.[1]?.["response"]).toBe(
    `550 5.1.1 <${real()}> has no mailbox at provider.example`,
  );
  // The author got the report alone: the bounce itself, which names the real address, went no further.
  expect(beyond.messages.filter(({ recipient }) => recipient === "author@author.example")).toEqual([report]);
});

describe("a reverse path", () => {
  const paths = new ReversePaths(new Secrets(secretKey), "postern.localhost");

  async function replyTo(address: string): Promise<string> {
    const client = await SmtpClient.open(smtpPort);
    await client.command("MAIL FROM:<>");
    const reply = await client.command(`RCPT TO:<${address}>`);
    client.destroy();
    return reply;
  }

  test("of ours is taken while it is fresh, and refused once it is stale", async () => {
    const at = (daysAgo: number) => paths.write(newId(), new Date(Date.now() - daysAgo * dayMs));
    expect(await replyTo(at(0))).toMatch(/^250 /);
    expect(await replyTo(at(lifetimeDays + 1))).toMatch(/^550 5\.\d\.\d /);
  });

  test("that somebody else made, or changed, is refused", async () => {
    const forged = new ReversePaths(new Secrets("another key"), "postern.localhost").write(newId(), new Date());
    const own = paths.write(newId(), new Date());
    const changed = own.replace(/(?<=^bounce\+.{5})./, (letter) => (letter === "a" ? "b" : "a"));
    for (const address of [forged, changed, "bounce+@postern.localhost", "bounce+nonsense@postern.localhost"])
      expect(await replyTo(address)).toMatch(/^550 5\.\d\.\d /);
  });
});
