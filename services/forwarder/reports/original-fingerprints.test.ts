import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { eventually } from "../../../test/support/eventually.ts";
import type { ReceivedMail, SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { readParts } from "../bounces/report-parts.ts";
import type { ForwarderUnderTest } from "../test-support/forwarder.ts";
import { startForwarder } from "../test-support/start-forwarder.ts";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ db, sink, forwarder, stop } = await startForwarder());
});
afterAll(() => stop());
beforeEach(() => void sink.messages.splice(0));

const shown = "Message-ID: <1@sender.example>\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\nSubject: hello\r\n";
const authentication = { authorDomain: "sender.example", dmarc: "pass", spfAligned: true, spf: "pass", arc: "none" };

/** What the author of a delivered message is told once a bounce has brought back this. @param partOf the bounce's last part */
async function reportAfter(partOf: (sent: string) => string): Promise<Buffer> {
  const message = `From: Author <author@sender.example>\r\n${shown}\r\nhello\r\n`;
  await forwarder.accept(message, ["real@x.example"], { authentication });
  const [sent] = (await sink.received(1)) as [ReceivedMail];
  await eventually(async () =>
    expect((await db.query("select 1 from delivery where state = 'waiting'")).rows).toEqual([]),
  );
  const status = "Content-Type: message/delivery-status\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n";
  const parts = [status, partOf(sent.bytes.toString())].map((part) => `--b\r\n${part}\r\n`).join("");
  const header = "From: MAILER-DAEMON@x.example\r\nContent-Type: multipart/report; boundary=b\r\n";
  await forwarder.returned(`${header}\r\n${parts}--b--\r\n`, sent.sender);
  const [, report] = (await sink.received(2)) as [ReceivedMail, ReceivedMail];
  expect(report.recipient).toBe("author@sender.example");
  expect(report.bytes.toString()).not.toMatch(/real@|x\.example/);
  return report.bytes;
}

const received = "Received: by mx.x.example for real@x.example\r\n";
const inBase64 = (text: string) => `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString("base64")}`;

test.each<[string, (sent: string) => string]>([
  ["whole", (sent) => `Content-Type: message/rfc822\r\n\r\n${received}${sent}`],
  ["with other line ends", (sent) => `Content-Type: message/rfc822\r\n\r\n${sent.replaceAll("\r\n", "\n")}`],
  [
    "as a header in base64, folded otherwise",
    (sent) => `Content-Type: text/rfc822-headers\r\n${inBase64(sent.replace("Date: Fri, ", "Date:\r\n\tFri,\r\n\t"))}`,
  ],
])("a message that comes back %s is named in the report", async (_, partOf) => {
  const report = await reportAfter(partOf);
  expect(await simpleParser(report)).toMatchObject({ inReplyTo: "<1@sender.example>" });
  const [, , original] = readParts(report);
  expect(original?.type).toBe("text/rfc822-headers");
  const names = original?.bytes
    .toString()
    .split(/\r\n(?!\s)/)
    .map((field) => field.split(":")[0]);
  expect(names?.filter((name) => name !== "").sort()).toEqual(["Date", "Message-ID", "Subject"]);
});

test.each([
  ["another subject", shown.replace("hello", "hello real@x.example")],
  ["another's words", shown.replace("<1@", "<2@")],
  ["nothing to know it by", "From: a@b.example\r\n"],
])("with %s it is reported without a word of it", async (_, returned) => {
  const report = await reportAfter(() => `Content-Type: text/rfc822-headers\r\n\r\n${returned}`);
  expect(readParts(report).map(({ type }) => type)).toEqual(["text/plain", "message/delivery-status"]);
  expect(report.toString()).not.toMatch(/In-Reply-To|<2@|b\.example/);
});
