import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

// Whether a message goes with SMTPUTF8 (RFC 6531) is decided by what leaves, not by what its sender declared.

let db: TestDatabase;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  db = await forwarderDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await db.query("truncate delivery, notice, outbox cascade");
});
afterAll(() => db.dispose());

async function forwarderTo(options: { hideSMTPUTF8: boolean }, sign: "off" | "arc" = "off") {
  const sink = await SmtpSink.start(options);
  closing.push(() => sink.stop());
  const forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url, FORWARD_SIGN: sign });
  closing.push(() => forwarder.stop());
  return { sink, forwarder };
}

function settled(): Promise<{ state: string; response: string }[]> {
  return eventually(async () => {
    const { rows } = await db.query<{ state: string; response: string }>(
      "select state, attempts -> -1 ->> 'response' as response from delivery",
    );
    for (const { state } of rows) expect(state).not.toBe("waiting");
    return rows;
  });
}

const ascii = "From: a@b.example\r\nSubject: hello\r\n\r\nhello\r\n";
const wide = ascii.replace("hello", "Grüße");

/** Within a multipart in a multipart, after some text. */
function withPart(fields: string, textBytes = 0) {
  const text = `${"x".repeat(70)}\r\n`.repeat(textBytes / 72);
  return `From: a@b.example\r\nSubject: hello\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=outer\r\n\r\n--outer\r\n\r\n${text}--outer\r\nContent-Type: multipart/mixed; boundary=inner\r\n\r\n--inner\r\nContent-Type: text/plain; charset=utf-8\r\n${fields}\r\nGrüße\r\n--inner--\r\n--outer--\r\n`;
}
const widePart = 'Content-Disposition: attachment; filename="Grüße.txt"\r\n';

const stranger = { authorDomain: "b.example", dmarc: "fail", policy: "reject", spf: "none", arc: "none" };

test.each<[string, string, Parameters<ForwarderUnderTest["accept"]>[2]]>([
  ["of ASCII alone, though SMTPUTF8 was declared", ascii, { smtpUtf8: true }],
  ["with a body beyond ASCII", `${ascii}Grüße\r\n`, { smtpUtf8: true, eightBitMime: true }],
  [
    "to a proxy address on an international domain",
    ascii,
    { smtpUtf8: true, recipient: "me@bücher.example", proxyAddress: "me@xn--bcher-kva.example" },
  ],
  [
    "whose From becomes a proxy address on an international domain",
    ascii,
    { smtpUtf8: true, proxyAddress: "me@bücher.example", authentication: stranger },
  ],
  ["with a body beyond ASCII in a part", withPart(""), { smtpUtf8: true, eightBitMime: true }],
  ["with a part whose header is beyond ASCII, undeclared", withPart(widePart), { smtpUtf8: false, eightBitMime: true }],
  ["with a header beyond ASCII that was not declared", wide, { smtpUtf8: false, eightBitMime: true }],
])("mail %s is delivered by a next hop without SMTPUTF8", async (_, text, differences) => {
  const { sink, forwarder } = await forwarderTo({ hideSMTPUTF8: true });
  await forwarder.accept(text, ["real@inbox.example"], differences);
  expect(await settled()).toMatchObject([{ state: "delivered" }]);
  expect(sink.messages[0]?.bytes.toString()).toContain(text.slice(text.indexOf("Subject:")));
});

test("mail with a header beyond ASCII, as its sender declared, is given up where the next hop has no SMTPUTF8", async () => {
  const { sink, forwarder } = await forwarderTo({ hideSMTPUTF8: true });
  await forwarder.accept(wide, ["real@inbox.example"], { smtpUtf8: true });
  expect(await settled()).toEqual([{ state: "given_up", response: expect.stringMatching(/^550 5\.6\.7 /) }]);
  expect(sink.messages).toEqual([]);
});

test.each([
  ["small enough to be held in memory", 0],
  ["of several chunks", 400_000],
])("so is mail %s of which the header of a part alone is beyond ASCII", async (_, textBytes) => {
  const { sink, forwarder } = await forwarderTo({ hideSMTPUTF8: true }, "arc");
  await forwarder.accept(withPart(widePart, textBytes), ["real@inbox.example", "other@inbox.example"], {
    smtpUtf8: true,
    eightBitMime: true,
  });
  const givenUp = { state: "given_up", response: expect.stringMatching(/^550 5\.6\.7 /) };
  expect(await settled()).toEqual([givenUp, givenUp]);
  expect(sink.messages).toEqual([]);
});

test("SMTPUTF8 is asked of the next hop where the header or the recipient needs it, and nowhere else", async () => {
  const { sink, forwarder } = await forwarderTo({ hideSMTPUTF8: false });
  await forwarder.notice("用户@inbox.example", "verify");
  await forwarder.accept(ascii, ["用户@inbox.example"], { smtpUtf8: false });
  await forwarder.accept(wide, ["wide@inbox.example"], { smtpUtf8: true });
  await forwarder.accept(withPart(widePart), ["part@inbox.example"], { smtpUtf8: true });
  await forwarder.accept(ascii, ["ascii@inbox.example"], { smtpUtf8: true });
  const messages = await sink.received(5);
  const declared = messages.map(({ recipient, parameters }) => `${recipient} ${parameters["SMTPUTF8"] ?? false}`);
  expect(declared.sort()).toEqual([
    "ascii@inbox.example false",
    "part@inbox.example true",
    "wide@inbox.example true",
    "用户@inbox.example true",
    "用户@inbox.example true",
  ]);
});

test("an international domain of the recipient goes as A-labels, which need no SMTPUTF8", async () => {
  const server = await ScriptedServer.start(acceptAll());
  closing.push(() => server.stop());
  const forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: `smtp://127.0.0.1:${server.port}` });
  closing.push(() => forwarder.stop());
  await forwarder.accept(ascii, ["real@bücher.example"], { smtpUtf8: true });
  expect(await settled()).toMatchObject([{ state: "delivered" }]);
  expect(server.lines).toContain("RCPT TO:<real@xn--bcher-kva.example>");
});
