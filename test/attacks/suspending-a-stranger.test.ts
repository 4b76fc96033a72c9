import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { forwarderDatabase } from "../../services/forwarder/test-support/database.ts";
import { ForwarderUnderTest } from "../../services/forwarder/test-support/forwarder.ts";
import { newId } from "../../services/platform/ids.ts";
import { eventually } from "../support/eventually.ts";
import { SinkRefusal, SmtpSink } from "../support/mail/smtp-sink.ts";
import type { TestDatabase } from "../support/peers/database.ts";

// Whoever knows two proxy addresses of somebody, or has two senders, must not be able to switch the real address off: not by
// mail that its server refuses as spam, and not by having us blocklisted.

const message = "From: Author <author@sender.example>\r\nSubject: hello\r\n\r\nhello\r\n";
const senders = ["one@a.example", "two@b.example"];

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
/** What the recipient's server says after the message; undefined where it takes it. */
let refusal: string | undefined;

beforeAll(async () => {
  db = await forwarderDatabase();
  sink = await SmtpSink.start({
    atMessage: () => {
      const [, code = "", text = ""] = /^(\d{3}) ?(.*)$/.exec(refusal ?? "") ?? [];
      if (code) throw new SinkRefusal(Number(code), text);
    },
  });
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url });
});
afterEach(async () => {
  sink.messages.splice(0);
  forwarder.peers.disabled.splice(0);
  await db.query("truncate delivery, notice, outbox, address_failure, suspension cascade");
});
afterAll(async () => {
  await forwarder?.stop();
  await sink?.stop();
  await db?.dispose();
});

const owner = newId();

/** Five mails from two senders to two proxy addresses of one owner, and until each has come to an end. */
async function attack(address: string, states: readonly string[]): Promise<void> {
  const bindings = [newId(), newId()];
  for (let at = 0; at < 5; at++)
    await forwarder.accept(message, [address], {
      ownerId: owner,
      bindingId: bindings[at % 2] ?? "",
      envelopeSender: senders[at % 2] ?? "",
    });
  await eventually(async () => {
    const { rows } = await db.query<{ state: string }>("select state from delivery where email_id is not null");
    expect(rows.map(({ state }) => states.includes(state))).toEqual(Array(5).fill(true));
  });
}

async function suspended(): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*)::int as count from suspension");
  return (rows[0]?.count ?? 0) + forwarder.peers.disabled.length;
}

test("five failures that are about the address suspend it: so the attacks below would be seen", async () => {
  refusal = "550 5.1.1 User unknown";
  await attack("real@x.example", ["given_up"]);
  await eventually(async () => expect(await suspended()).toBeGreaterThan(0));
});

test.each([
  "554 ",
  "554 Transaction failed",
  "550 no",
  "554 5.7.1 Message rejected as spam by Content Filtering.",
  "550 5.2.1 AOL will not accept delivery of this message.",
])("five spam mails that are refused with %j suspend nobody", async (reply) => {
  refusal = reply;
  await attack("real@x.example", ["given_up"]);
  expect(await suspended()).toBe(0);
});

test.each([
  "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org",
  "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Part of their network is on our block list (S3150).",
  "554 No SMTP service IP address is black listed.",
  "550 5.7.25 The IP address sending this message does not have a PTR record setup",
  "550 5.7.23 The message was rejected because of Sender Policy Framework violation",
])("a blocklisting of ours (%j) suspends nobody", async (reply) => {
  refusal = reply;
  await attack("real@x.example", ["given_up"]);
  expect(await suspended()).toBe(0);
});

test("nor do bounces with a generic status whose server calls it spam", async () => {
  refusal = undefined;
  await attack("real@x.example", ["delivered"]);
  for (const { sender } of sink.messages) {
    const status = "Action: failed\r\nStatus: 5.0.0\r\nDiagnostic-Code: smtp; 554 Transaction failed: spam\r\n";
    const header = "From: MAILER-DAEMON@x.example\r\nContent-Type: multipart/report; boundary=b\r\n";
    const part = `--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x.example\r\n\r\n${status}\r\n--b--\r\n`;
    await forwarder.returned(`${header}\r\n${part}`, sender);
  }
  await eventually(async () => {
    const { rows } = await db.query<{ state: string }>("select state from delivery where email_id is not null");
    expect(rows.map(({ state }) => state)).toEqual(Array(5).fill("bounced"));
  });
  expect(await suspended()).toBe(0);
});

test("nor do the vacation notices of its owner, whose subjects are what strangers wrote", async () => {
  refusal = undefined;
  await attack("real@x.example", ["delivered"]);
  for (const { sender } of sink.messages) {
    // "Auto: " and the subject of whoever wrote (RFC 5230 section 5.3), with a null sender (RFC 3834 section 3.3).
    const notice = [
      "From: real@x.example",
      "To: author@sender.example",
      "Subject: Auto: Returned mail: 550 5.1.1 User unknown",
      "Auto-Submitted: auto-replied",
      "",
      "I am on holiday until Monday.",
      "",
    ];
    await forwarder.returned(notice.join("\r\n"), sender);
  }
  await eventually(async () => {
    const { rows } = await db.query("select from returned_mail");
    expect(rows).toHaveLength(0);
  });
  const { rows } = await db.query<{ state: string }>("select state from delivery where email_id is not null");
  expect(rows.map(({ state }) => state)).toEqual(Array(5).fill("delivered"));
  expect(await suspended()).toBe(0);
});
