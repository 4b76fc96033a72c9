import { expect, test } from "@jest/globals";
import { SealedMessageIds } from "../../message/header/sealed-message-id.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { zipFile } from "../test/zip-file.ts";
import type { AnswerContent } from "./answer.ts";
import { composeAnswer } from "./compose-answer.ts";

const real = "Olive.Owner@home.example";
const reverse = "re+aaaabbbbccccddddeeeeffff22@proxy.example";
const messageIds = new SealedMessageIds(new Secrets("a secret key of the tests"));
const answer: AnswerContent = {
  emailId: "",
  rawId: "",
  sizeBytes: 0,
  direction: "answer",
  ownerId: "anna",
  bindingId: "",
  proxyAddress: "shop@proxy.example",
  displayName: "Olive",
  author: real,
  recipients: [{ contactId: "", address: "ann@shop.example", reverseAddress: reverse }],
  named: [],
  realAddresses: [real, "second@home.example"],
  sendsEncrypted: false,
  hopCount: 1,
};

const compose = (raw: string, differences: Partial<AnswerContent> = {}) =>
  composeAnswer(
    Buffer.from(raw, "latin1"),
    { ...answer, ...differences },
    { messageIds, contactAddresses: async () => [] },
  );
const lines = (...parts: string[]) => parts.join("\r\n");
const header = (...others: string[]) =>
  lines(
    `From: ${real}`,
    `To: ${reverse}`,
    "Date: Mon, 2 Nov 2026 10:00:00 +0100",
    "Message-ID: <x@home.example>",
    ...others,
  );

test("quotes in the manner of many programs are rewritten and leave", async () => {
  const outlook = lines(
    "Yes.",
    "",
    "-----Original Message-----",
    `From: Ann <${reverse}>`,
    `To: ${real}`,
    "Subject: x",
    "",
    "Hi",
  );
  const header2 = lines("Yes.", "", `From: Ann <${reverse}>`, "Sent: Monday", `To: ${real}`, "Subject: x", "", "Hi");
  const gmail = `<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">On Monday <a href="mailto:${reverse.replace("+", "%2B")}">Ann</a> wrote:</div><blockquote>to ${real}</blockquote></div>`;
  const apple = `<div>Yes.</div><div>On Monday, Ann &lt;${reverse}&gt; wrote:</div><blockquote type="cite">to ${real}</blockquote>`;
  for (const [type, body] of [
    ["text/plain", outlook],
    ["text/plain", header2],
    ["text/html", gmail],
    ["text/html", apple],
  ] as const) {
    const { message, leaks } = await compose(lines(header(`Content-Type: ${type}; charset=utf-8`), "", body, ""));
    expect([type, leaks]).toEqual([type, []]);
    const text = message.toString().replaceAll("=\r\n", "");
    expect(text).toContain("shop@proxy.example");
    expect(text).toContain("ann@shop.example");
  }
});

test.each(["text/calendar", "application/ics"])(
  "an answer to an invitation in %s names the proxy address",
  async (type) => {
    const calendar = lines(
      "BEGIN:VCALENDAR",
      `ORGANIZER:mailto:${reverse}`,
      `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${real}`,
      "END:VCALENDAR",
      "",
    );
    const { message, leaks } = await compose(
      lines(header(`Content-Type: ${type}; method=REPLY; charset=utf-8; name=invite.ics`), "", calendar),
    );
    expect(leaks).toEqual([]);
    const text = message
      .toString()
      .replaceAll("=\r\n", "")
      .replaceAll(/\r\n[ ]/g, "");
    expect(text).toContain("ATTENDEE;PARTSTAT=3DACCEPTED:mailto:shop@proxy.example");
    expect(text).toContain(`Content-Type: ${type}; charset=utf-8; method=REPLY`);
  },
);

test("an encrypted part leaves where the owner says so alone; a signature in fresh text, and a reverse address, are held", async () => {
  const encrypted = lines(header('Content-Type: multipart/encrypted; boundary="e"'), "", "--e", "", "x", "--e--", "");
  expect((await compose(encrypted)).leaks).toEqual(["in an encrypted part, which cannot be searched"]);
  expect((await compose(encrypted, { sendsEncrypted: true })).leaks).toEqual([]);
  const zip = zipFile([{ name: "a.txt", content: Buffer.from("x"), isEncrypted: true }]).toString("latin1");
  const packed = lines(header('Content-Type: application/zip; name="a.zip"'), "", zip);
  expect((await compose(packed)).leaks).toEqual([
    'in the attachment "a.zip", which is encrypted and cannot be searched',
  ]);
  expect((await compose(packed, { sendsEncrypted: true })).leaks).toEqual([]);
  expect((await compose(lines(header(), "", "Hi", "-- ", real, ""))).leaks).toEqual(["in the text that you wrote"]);
  expect((await compose(lines(header(), "", `ask Bob at ${reverse}`, ""))).leaks).toEqual([
    "in the text that you wrote",
  ]);
});

test("a contact whose address has the real one in it is no leak", async () => {
  const recipients = [{ contactId: "", address: `j${real}`, reverseAddress: reverse }];
  expect((await compose(lines(header(), "", "Hi", ""), { recipients })).leaks).toEqual([]);
});
