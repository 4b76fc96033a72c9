import { expect, test } from "@jest/globals";
import { answerHeader, compose, lines, realAddress, reverseAddress } from "../test-support/answer.ts";
import { zipFile } from "../test-support/zip-file.ts";

test("quotes in the manner of many programs are rewritten and leave", async () => {
  const outlook = lines(
    "Yes.",
    "",
    "-----Original Message-----",
    `From: Ann <${reverseAddress}>`,
    `To: ${realAddress}`,
    "Subject: x",
    "",
    "Hi",
  );
  const header2 = lines(
    "Yes.",
    "",
    `From: Ann <${reverseAddress}>`,
    "Sent: Monday",
    `To: ${realAddress}`,
    "Subject: x",
    "",
    "Hi",
  );
  const gmail = `<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">On Monday <a href="mailto:${reverseAddress.replace("+", "%2B")}">Ann</a> wrote:</div><blockquote>to ${realAddress}</blockquote></div>`;
  const apple = `<div>Yes.</div><div>On Monday, Ann &lt;${reverseAddress}&gt; wrote:</div><blockquote type="cite">to ${realAddress}</blockquote>`;
  for (const [type, body] of [
    ["text/plain", outlook],
    ["text/plain", header2],
    ["text/html", gmail],
    ["text/html", apple],
  ] as const) {
    const { message, leaks } = await compose(lines(answerHeader(`Content-Type: ${type}; charset=utf-8`), "", body, ""));
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
      `ORGANIZER:mailto:${reverseAddress}`,
      `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${realAddress}`,
      "END:VCALENDAR",
      "",
    );
    const { message, leaks } = await compose(
      lines(answerHeader(`Content-Type: ${type}; method=REPLY; charset=utf-8; name=invite.ics`), "", calendar),
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
  const encrypted = lines(
    answerHeader('Content-Type: multipart/encrypted; boundary="e"'),
    "",
    "--e",
    "",
    "x",
    "--e--",
    "",
  );
  expect((await compose(encrypted)).leaks).toEqual(["in an encrypted part, which cannot be searched"]);
  expect((await compose(encrypted, { sendsEncrypted: true })).leaks).toEqual([]);
  const zip = zipFile([{ name: "a.txt", content: Buffer.from("x"), isEncrypted: true }]).toString("latin1");
  const packed = lines(answerHeader('Content-Type: application/zip; name="a.zip"'), "", zip);
  expect((await compose(packed)).leaks).toEqual([
    'in the attachment "a.zip", which is encrypted and cannot be searched',
  ]);
  expect((await compose(packed, { sendsEncrypted: true })).leaks).toEqual([]);
  expect((await compose(lines(answerHeader(), "", "Hi", "-- ", realAddress, ""))).leaks).toEqual([
    "in the text that you wrote",
  ]);
  expect((await compose(lines(answerHeader(), "", `ask Bob at ${reverseAddress}`, ""))).leaks).toEqual([
    "in the text that you wrote",
  ]);
});

test("a contact whose address has the real one in it is no leak", async () => {
  const recipients = [{ contactId: "", address: `j${realAddress}`, reverseAddress }];
  expect((await compose(lines(answerHeader(), "", "Hi", ""), { recipients })).leaks).toEqual([]);
});
