import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type ReceivedMail, SinkRefusal, SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { readParts } from "../bounces/report-parts.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let answer: string | undefined;

beforeAll(async () => {
  db = await forwarderDatabase();
});
afterAll(() => db.dispose());

async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  answer = "550 5.1.1 <real@x.example>: real is unknown at mx.x.example";
  sink = await SmtpSink.start({
    atRecipient: (recipient) => {
      const [, code = "", text = ""] = /^(\d{3}) (.*)$/.exec(answer ?? "") ?? [];
      if (recipient.endsWith("@x.example") && answer) throw new SinkRefusal(Number(code), text);
    },
  });
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url, FORWARD_RETRY_S: "0.05", ...environment });
}
afterEach(async () => {
  await forwarder.stop();
  await sink.stop();
  await db.query(
    "truncate delivery, notice, outbox, returned_mail, author_report, address_failure, suspension cascade",
  );
});

const message =
  "From: Author <author@sender.example>\r\nMessage-ID: <1@sender.example>\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\nSubject: hello\r\n\r\nhello\r\n";
const authentication = {
  authorDomain: "sender.example",
  dmarc: "pass",
  policy: "none",
  spfAligned: true,
  spf: "pass",
  arc: "none",
};
type Differences = Parameters<ForwarderUnderTest["accept"]>[2];
const accept = (text = message, differences: Differences = {}, addresses = ["real@x.example"]) =>
  forwarder.accept(text, addresses, Object.assign({ authentication }, differences));

async function states(): Promise<string[]> {
  const { rows } = await db.query<{ state: string }>(
    "select state from delivery where email_id is not null order by id",
  );
  return rows.map(({ state }) => state);
}

async function allSettled(): Promise<string[]> {
  return eventually(async () => {
    const { rows } = await db.query("select 1 from delivery where state = 'waiting'");
    expect(rows).toEqual([]);
    return states();
  });
}

describe("a forward that is given up", () => {
  test("is reported to its author once, without a word of the real address", async () => {
    await start();
    const email = await accept(message, {}, ["real@x.example", "other@x.example"]);
    const [report] = (await sink.received(1)) as [ReceivedMail];
    expect(await allSettled()).toEqual(["given_up", "given_up"]);
    expect(sink.messages).toHaveLength(1);
    expect(report).toMatchObject({ sender: "", recipient: "author@sender.example" });
    const source = report.bytes.toString("utf8");
    expect(source).not.toMatch(/\breal\b|x\.example/);
    expect(source).toMatch(/^DKIM-Signature: .*DKIM-Signature: /s);
    expect(source).toMatch(/\r\nContent-Type: multipart\/report; report-type=delivery-status;/);

    const parsed = await simpleParser(report.bytes);
    expect(parsed).toMatchObject({ inReplyTo: "<1@sender.example>", subject: "Your message could not be delivered" });
    expect(parsed.headers.get("auto-submitted")).toBe("auto-replied");
    expect(parsed.text).toContain("proxy@postern.localhost");

    const parts = readParts(report.bytes);
    expect(parts.map(({ type }) => type)).toEqual(["text/plain", "message/delivery-status", "text/rfc822-headers"]);
    expect(parts[1]?.bytes.toString()).toMatch(
      /^Reporting-MTA: dns; postern\.localhost\r\nArrival-Date: .*\r\n\r\nFinal-Recipient: rfc822; proxy@postern\.localhost\r\nAction: failed\r\nStatus: 5\.1\.1\r\nDiagnostic-Code: smtp; 550 5\.1\.1 There is no such mailbox\r\n/,
    );
    expect(parts[2]?.bytes.toString()).toContain("Message-ID: <1@sender.example>\r\n");
    const settled = await forwarder.published(topics.deliverySettled);
    expect(settled.map(({ emailId, response, reason }) => [emailId, response, reason])).toEqual(
      [0, 1].map(() => [email.emailId, expect.stringContaining("real is unknown at mx.x.example"), "unknown-user"]),
    );
  });

  test("is reported by its Message-ID whatever its author wrote there: to leave out the real address would confirm a guess", async () => {
    await start();
    await accept(message.replace("1@sender.example", "real@x.example"));
    const [report] = (await sink.received(1)) as [ReceivedMail];
    expect(readParts(report.bytes)[2]?.bytes.toString()).toContain("Subject: hello\r\n");
    expect(report.bytes.toString()).toContain("In-Reply-To: <real@x.example>\r\n");
  });

  test("for its time being over says so", async () => {
    await start();
    answer = "451 4.3.0 later";
    await accept();
    const [report] = (await sink.received(1)) as [ReceivedMail];
    expect(readParts(report.bytes)[1]?.bytes.toString()).toContain("Status: 5.4.7\r\n");
  });

  test.each<[string, string, Differences]>([
    ["of a stranger", message, { authentication: { ...authentication, spfAligned: false } }],
    ["that was never evaluated", message, { authentication: undefined }],
    ["that is a bounce", message, { envelopeSender: "" }],
    ["that is list mail", `List-Id: <a.example>\r\n${message}`, {}],
    ["that a machine wrote", `Auto-Submitted: auto-replied\r\n${message}`, {}],
  ])("%s is its owner's to know alone", async (_, text, differences) => {
    await start();
    await accept(text, differences);
    expect(await allSettled()).toEqual(["given_up"]);
    expect(sink.messages).toEqual([]);
    expect(await forwarder.published(topics.deliverySettled)).toMatchObject([{ outcome: Outcome.GIVEN_UP }]);
  });
});

const failure = (action: string, diagnostic: string) =>
  `From: MAILER-DAEMON@x.example\r\nSubject: Undelivered\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nreal@x.example said no\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.x.example\r\n\r\nFinal-Recipient: rfc822; real@x.example\r\nAction: ${action}\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; ${diagnostic}\r\n\r\n--b--\r\n`;

describe("mail that comes back", () => {
  async function delivered(): Promise<ReceivedMail> {
    await start();
    answer = undefined;
    await accept();
    const [sent] = (await sink.received(1)) as [ReceivedMail];
    expect(await allSettled()).toEqual(["delivered"]);
    return sent;
  }
  const released = async () => (await forwarder.published(topics.mailReleased)).map(({ rawId }) => rawId);

  test("makes what was delivered bounced, is reported in our words, and lets its bytes go", async () => {
    const sent = await delivered();
    const bounce = await forwarder.returned(failure("failed", "550 5.1.1 <real@x.example> gone"), sent.sender);
    const [, report] = (await sink.received(2)) as [ReceivedMail, ReceivedMail];
    expect(report).toMatchObject({ sender: "", recipient: "author@sender.example" });
    expect(report.bytes.toString("utf8")).not.toMatch(/real@|x\.example|said no/);
    expect(await states()).toEqual(["bounced"]);
    expect(await released()).toEqual([bounce.rawId]);
    expect(await forwarder.published(topics.deliverySettled)).toMatchObject([
      { outcome: Outcome.DELIVERED, attemptCount: 1 },
      { outcome: Outcome.BOUNCED, attemptCount: 2, response: "550 5.1.1 <real@x.example> gone" },
    ]);

    const again = await forwarder.returned(failure("failed", "550 5.1.1 <real@x.example> gone"), sent.sender);
    await eventually(async () => expect(await released()).toEqual([bounce.rawId, again.rawId]));
    expect(await forwarder.published(topics.deliverySettled)).toHaveLength(2);
  });

  test("only late is a deferral on the timeline", async () => {
    const sent = await delivered();
    await forwarder.returned(failure("delayed", "connection timed out"), sent.sender);
    await eventually(async () => expect(await released()).toHaveLength(1));
    expect(await states()).toEqual(["delivered"]);
    expect(await forwarder.published(topics.deliveryDeferred)).toMatchObject([
      { attemptCount: 2, response: "5.1.1 connection timed out" },
    ]);
  });

  test("late again and again is counted, and shown three times", async () => {
    const sent = await delivered();
    for (let count = 0; count < 6; count++)
      await forwarder.returned(failure("delayed", "connection timed out"), sent.sender);
    await eventually(async () => expect(await released()).toHaveLength(6));
    const { rows } = await db.query(
      "select jsonb_array_length(attempts) as kept, delayed_reports as counted from delivery",
    );
    expect(rows).toEqual([{ kept: 4, counted: 6 }]);
    expect(await forwarder.published(topics.deliveryDeferred)).toHaveLength(3);
  });

  test.each([
    [
      "says nothing of a delivery",
      (sender: string) => forwarder.returned("Subject: Out of office\r\n\r\nAway\r\n", sender),
    ],
    ["is of nobody's", () => forwarder.returned(failure("failed", "550 no"), "bounce+nonsense@postern.localhost")],
    [
      "is gone already",
      async (sender: string) => {
        const mail = await forwarder.returned("x", sender);
        forwarder.raw.delete(mail.rawId);
        return mail;
      },
    ],
  ])("and %s is let go", async (_, bring) => {
    const sent = await delivered();
    const mail = await bring(sent.sender);
    await eventually(async () => expect(await released()).toEqual([mail.rawId]));
    expect(await states()).toEqual(["delivered"]);
  });
});

describe("a real address that fails", () => {
  const ownerId = newId();
  const failTimes = async (count: number, differences: (at: number) => Differences) => {
    for (let at = 0; at < count; at++) await accept(message, { ownerId, ...differences(at) });
    await allSettled();
  };

  test("five times over two bindings is switched off, and its owner told how to switch it on", async () => {
    await start();
    const bindings = [newId(), newId()];
    await failTimes(4, (at) => ({ bindingId: bindings[at % 2] }));
    expect(forwarder.peers.disabled).toEqual([]);
    await failTimes(1, () => ({ bindingId: bindings[0] }));
    const [notice] = await eventually(async () => {
      const notices = await forwarder.published(topics.noticeRequested);
      expect(notices).toHaveLength(1);
      return notices;
    });
    expect(forwarder.peers.disabled).toEqual([{ ownerId, address: "real@x.example" }]);
    expect(notice).toMatchObject({ recipient: "owner@home.example", kind: "address-suspended" });
    expect(notice?.text).toContain("\n    https://postern.localhost/verify/enable-again\n");
  });

  test("and goes on failing after it was disabled leads to no second notice", async () => {
    await start();
    forwarder.peers.isDisablingNew = false;
    await failTimes(5, () => ({ bindingId: newId() }));
    await eventually(async () => expect((await db.query("select from address_failure")).rowCount).toBe(0));
    expect(forwarder.peers.disabled).toHaveLength(1);
    expect(await forwarder.published(topics.noticeRequested)).toEqual([]);
  });

  test.each<[string, string, Differences]>([
    ["for one author in one binding", "550 5.1.1 no", { bindingId: newId() }],
    ["because of what the messages say", "554 5.7.1 spam", {}],
  ])("five times %s stays on", async (_, refusal, differences) => {
    await start();
    answer = refusal;
    await failTimes(5, () => differences ?? {});
    expect((await db.query("select 1 from suspension")).rowCount).toBe(0);
    expect(forwarder.peers.disabled).toEqual([]);
  });
});
