import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { SmtpSink } from "../../../../test/support/mail/smtp-sink.ts";
import { SealedMessageIds } from "../../../message/header/sealed-message-id.ts";
import { newId } from "../../../platform/ids.ts";
import { Secrets } from "../../../platform/security/secrets.ts";
import { type ForwarderUnderTest, reverseAddressOf } from "../../test-support/forwarder.ts";
import { startForwarder } from "../../test-support/start-forwarder.ts";

const ownerId = newId();
const messageIds = new SealedMessageIds(new Secrets("a secret key of the tests"));
const sealed = messageIds.seal(ownerId, "<own@home.example>", { hopCount: 1, domain: "postern.localhost" });
const body = "Content-Type: text/plain\r\n\r\nHello, \xfcml\xe4ut proxy@postern.localhost ann@shop.example\r\n.\r\n";
const message = Buffer.from(
  [
    "Received: from x by y",
    "From: Ann Lee <ann@shop.example>",
    "To: proxy@postern.localhost, Bob <bob@shop.example>",
    `In-Reply-To: ${sealed}`,
    "Message-ID: <theirs@shop.example>",
    "Disposition-Notification-To: ann@shop.example",
    body,
  ].join("\r\n"),
  "latin1",
);

let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ sink, forwarder, stop } = await startForwarder());
});
afterAll(() => stop());

async function forwarded(differences: object): Promise<string> {
  const count = sink.messages.length;
  await forwarder.accept(message, ["real@inbox.example"], { ownerId, ...differences });
  return (await sink.received(count + 1)).at(-1)?.bytes.toString("latin1") ?? "";
}

test("where the binding does not answer, the message goes on byte for byte, below what we put on top", async () => {
  const left = await forwarded({});
  expect(left.endsWith(message.toString("latin1"))).toBe(true);
  expect(left).not.toContain("re+");
});

test("where it answers, the header is rewritten and the body is not touched", async () => {
  const left = await forwarded({ answers: true, proxyAddress: "proxy@postern.localhost" });
  const [ann, bob] = ["ann@shop.example", "bob@shop.example"].map(reverseAddressOf);
  expect(left).toContain(`\r\nFrom: "Ann Lee (ann at shop.example)"\r\n <${ann}>\r\n`);
  expect(left.replaceAll("\r\n ", " ")).toContain(
    `<proxy@postern.localhost>, "Bob (bob at shop.example)" <${bob}>\r\n`,
  );
  expect(left).toContain("\r\nIn-Reply-To: <own@home.example>\r\n");
  expect(left).toContain("\r\nMessage-ID: <theirs@shop.example>\r\n");
  expect(left).not.toContain("Disposition-Notification-To");
  expect(left.endsWith(body.slice(body.indexOf("\r\n\r\n")))).toBe(true);
  expect(left).toMatch(/^DKIM-Signature:|\r\nDKIM-Signature:/);
  expect(left).toMatch(/ARC-Seal:/);
});

test("an author who failed DMARC is marked, whatever the policy", async () => {
  const authentication = {
    authorDomain: "shop.example",
    policy: "quarantine",
    dmarc: "fail",
    spf: "none",
    arc: "none",
  };
  const suspicious = await forwarded({ answers: true, authentication });
  expect(suspicious).toContain('\r\nFrom: "Unverified: Ann Lee (ann at shop.example)"');
  const reported = await forwarded({ answers: true, authentication: { ...authentication, policy: "none" } });
  expect(reported).toContain('\r\nFrom: "Unverified: Ann Lee (ann at shop.example)"');
  const fine = await forwarded({ answers: true, authentication: { ...authentication, dmarc: "pass" } });
  expect(fine).toContain('\r\nFrom: "Ann Lee (ann at shop.example)"');
});

test.each([
  ["an invitation", "mixed", 10],
  ["a large invitation", "mixed", 400_000],
  ["a large invitation that was signed", "signed", 400_000],
])("the organiser of %s is a reverse address, and the signatures are of what leaves", async (_name, kind, length) => {
  const picture = "x"
    .repeat(76)
    .concat("\r\n")
    .repeat(length / 78);
  const invitation = "BEGIN:VCALENDAR\r\nORGANIZER:mailto:ann@shop.example\r\nEND:VCALENDAR\r\n";
  const parts = `--b\r\nContent-Type: image/png\r\n\r\n${picture}\r\n--b\r\nContent-Type: text/calendar\r\n\r\n${invitation}\r\n--b--\r\n`;
  const raw = `From: ann@shop.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/${kind}; boundary=b\r\n\r\n${parts}`;
  const count = sink.messages.length;
  await forwarder.accept(raw, ["real@inbox.example"], { ownerId, answers: true });
  const left = (await sink.received(count + 1)).at(-1)?.bytes.toString() ?? "";
  const body = parts.replace("ann@shop.example", reverseAddressOf("ann@shop.example"));
  expect(left.endsWith(`\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${body}`)).toBe(true);
  const hash = createHash("sha256").update(body).digest("base64");
  expect(left.replaceAll(/\r\n[ \t]+/g, "")).toContain(`bh=${hash}`);
});
