import { deflateRawSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { hasOnlyCrlf } from "../../message/crlf.ts";
import { answerHeader, compose as composeAnswer, lines, reverseAddress as reverse } from "../test-support/answer.ts";
import { AddressSearch } from "./search/address-search.ts";

// Answers in the shapes that great mail programs give them, written by us: header fields, quoted parts, encodings.

const real = "olive.owner@home.example";
const compose = (raw: string) =>
  composeAnswer(Buffer.from(raw).toString("latin1"), { author: real, realAddresses: [real] });

const thunderbird = lines(
  `Received: from laptop.home.example (laptop.home.example [192.0.2.7])\r\n\tby mail.home.example (Postfix) for <${reverse}>`,
  "DKIM-Signature: v=1; a=rsa-sha256; d=home.example; i=@home.example; s=mail;\r\n\th=from; bh=AA==; b=AA==",
  "X-Originating-Host: laptop.home.example",
  "List-Unsubscribe: <mailto:leave@home.example>",
  "Message-ID: <5b0f2c9e-8a5e-4c9b-9d55-6c1b5c0f7f11@home.example>",
  "Date: Fri, 20 Nov 2026 10:12:31 +0100",
  "MIME-Version: 1.0",
  "User-Agent: Mozilla Thunderbird",
  "Subject: Re: Offer",
  "Content-Language: en-US, de-DE",
  `To: "Ann Lee (ann at shop.example)" <${reverse}>`,
  "References: <offer@shop.example>",
  `From: Olive Owner <${real}>`,
  `Autocrypt: addr=${real}; keydata=xsBNBF`,
  "Organization: Home",
  "In-Reply-To: <offer@shop.example>",
  "Content-Type: text/plain; charset=UTF-8; format=flowed",
  "Content-Transfer-Encoding: 8bit",
  "X-Mozilla-Draft-Info: internal/draft; vcard=0; receipt=0; DSN=0; uuencode=0;",
  "",
  "Gerne — yes.",
  "",
  "On 11/20/26 9:58 AM, Ann Lee (ann at shop.example) wrote:",
  `> Dear Olive, you wrote from ${real} `,
  `> to ${reverse} yesterday.`,
  "",
  "-- ",
  "Olive",
  "",
);

const gmailHtml = lines(
  '<div dir="ltr">Sure, see you then.</div><br><div class="gmail_quote gmail_quote_container">',
  '<div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 9:58=E2=80=AFAM Ann Lee (ann at shop.example) &lt;',
  `<a href=3D"mailto:${reverse.replace("+", "%2B")}">${reverse}</a>&gt; wrote:<br></div>`,
  '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">',
  `<div>for <a href=3D"mailto:${real}">${real}</a></div></blockquote></div>`,
);
const gmail = lines(
  "MIME-Version: 1.0",
  "References: <offer@shop.example>",
  "In-Reply-To: <offer@shop.example>",
  `From: Olive Owner <${real}>`,
  "Date: Fri, 20 Nov 2026 10:12:31 +0100",
  "X-Gm-Features: AWmQ_bn",
  "Message-ID: <CAKx1Zz0=abc+def@mail.gmail.com>",
  "Subject: Re: Offer",
  `To: "Ann Lee (ann at shop.example)" <${reverse}>`,
  'Content-Type: multipart/alternative; boundary="000000000000a1b2c3"',
  "",
  "--000000000000a1b2c3",
  'Content-Type: text/plain; charset="UTF-8"',
  "",
  "Sure, see you then.",
  "",
  "On Fri, Nov 20, 2026 at 9:58 AM Ann Lee (ann at shop.example) <",
  `${reverse}> wrote:`,
  "",
  `> for ${real}`,
  ">",
  "",
  "--000000000000a1b2c3",
  'Content-Type: text/html; charset="UTF-8"',
  "Content-Transfer-Encoding: quoted-printable",
  "",
  gmailHtml.replaceAll('class="', 'class=3D"').replaceAll('dir="', 'dir=3D"').replaceAll('style="', 'style=3D"'),
  "--000000000000a1b2c3--",
  "",
);

const outlookHeader = [
  `From: Olive Owner <${real}>`,
  `To: "Ann Lee (ann at shop.example)" <${reverse}>`,
  "Subject: RE: Offer",
  "Thread-Topic: Offer",
  "Thread-Index: AQHcWfY0c2FtcGxl",
  "Date: Fri, 20 Nov 2026 09:12:31 +0000",
  "Message-ID: <DB9PR01MB1234A1B2@DB9PR01MB1234.eurprd01.prod.exchangelabs.com>",
  "References: <offer@shop.example>",
  "In-Reply-To: <offer@shop.example>",
  "Accept-Language: de-DE, en-US",
  "Content-Language: de-DE",
  "X-MS-Has-Attach:",
  "X-MS-TNEF-Correlator:",
  `x-ms-exchange-crosstenant-mailboxname: ${Buffer.from(real).toString("base64")}`,
];
const outlook = lines(
  ...outlookHeader,
  'Content-Type: multipart/alternative; boundary="_000_DB9PR01MB1234mailhomeexample_"',
  "MIME-Version: 1.0",
  "",
  "--_000_DB9PR01MB1234mailhomeexample_",
  'Content-Type: text/plain; charset="iso-8859-1"',
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "Sch=F6n, bis dann.",
  "",
  "________________________________",
  `Von: Ann Lee (ann at shop.example) <${reverse}>`,
  "Gesendet: Freitag, 20. November 2026 09:58",
  `An: Olive Owner <${real}>`,
  "Betreff: Offer",
  "",
  "Hello.",
  "--_000_DB9PR01MB1234mailhomeexample_",
  'Content-Type: text/html; charset="iso-8859-1"',
  "Content-Transfer-Encoding: quoted-printable",
  "",
  '<html><body><p class=3D"MsoNormal">Sch=F6n, bis dann.</p>',
  '<div style=3D"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class=3D"MsoNormal">',
  `<b>Von:</b> Ann Lee &lt;${reverse}&gt;<br><b>An:</b> Olive Owner &lt;${real}&gt;</p></div>Hello.</body></html>`,
  "--_000_DB9PR01MB1234mailhomeexample_--",
  "",
);
const outlookWithTnef = lines(
  ...outlookHeader.map((field) => (field.startsWith("X-MS-TNEF") ? `${field} <DB9PR01MB1234A1B2@x>` : field)),
  'Content-Type: multipart/mixed; boundary="_002_"',
  "MIME-Version: 1.0",
  ...["", "--_002_", "Content-Type: text/plain", "", "Here.", "--_002_"],
  'Content-Type: application/ms-tnef; name="winmail.dat"',
  "Content-Transfer-Encoding: base64",
  "",
  // Its signature, and a name in UTF-16 (MS-OXTNEF section 2.1).
  Buffer.concat([Buffer.from("789f3e22", "hex"), Buffer.from(`SMTP:${real.toUpperCase()}`, "utf16le")]).toString(
    "base64",
  ),
  "--_002_--",
  "",
);

test.each([
  ["Thunderbird", thunderbird, "Gerne — yes."],
  ["Gmail", gmail, "Sure, see you then."],
  ["Outlook", outlook, "bis dann."],
])("an answer by %s leaves without a trace of the real address, what it says is there", async (_name, raw, said) => {
  const { message, leaks } = await compose(raw);
  expect(leaks).toEqual([]);
  expect(await new AddressSearch([real]).isIn(message)).toBe(false);
  const text = message.toString().replaceAll("=\r\n", "").replaceAll("=E2=80=94", "—");
  expect(text).toContain(said);
  expect(text).not.toMatch(/re(?:\+|%2B)[a-z2-7]{26}/i);
  // What programs write by themselves does not tell the domain either.
  expect(text).not.toMatch(/home\W?example/i);
  const [header = ""] = text.split("\r\n\r\n", 1);
  const names = [...header.matchAll(/^([\w-]+):/gm)].map(([, name = ""]) => name.toLowerCase());
  const allowed =
    /^(?:from|to|cc|subject|date|message-id|in-reply-to|references|mime-version|auto-submitted|content-.*)$/;
  expect(names.filter((name) => !allowed.test(name))).toEqual([]);
  expect(header).toContain("<offer@shop.example>");
});

test.each([
  ["quoted line by line", [`On Monday, Ann <${reverse}> wrote:`], "> "],
  ["below the header of the message", ["-----Original Message-----", `From: Ann <${reverse}>`, "Subject: Offer"], ""],
])(
  "links that a scanner wrote the real address into, as Outlook's do, are rewritten in plain text %s",
  async (_name, before, mark) => {
    const link = (address: string) =>
      `<https://eur01.safelinks.example/?url=https%3A%2F%2Fshop.example%2Fa%252Eb&data=05%7C02%7C${address}%7C84df%7C0&sdata=x%3D&reserved=0>`;
    const written = `see our shop${link(real.replace("@", "%40"))}.`;
    const { message, leaks } = await compose(
      lines(answerHeader("Content-Type: text/plain"), "", "Yes.", "", ...before, mark, mark + written, ""),
    );
    expect(leaks).toEqual([]);
    const text = message.toString().replaceAll("=\r\n", "").replaceAll("=3D", "=");
    expect(text).toContain(`${mark}see our shop${link("shop@proxy.example")}.`);
    const fresh = lines(answerHeader("Content-Type: text/plain"), "", written, "");
    expect((await compose(fresh)).leaks).toEqual(["in the text that you wrote"]);
  },
);

test("an answer by Outlook whose winmail.dat names the real address is held", async () => {
  expect((await compose(outlookWithTnef)).leaks).toEqual(['in the attachment "winmail.dat"']);
});

test("a document whose text names the real address, split over elements as Word does, is held", async () => {
  const [name = "", domain = ""] = real.split("@");
  const xml = deflateRawSync(`<w:t>${name}</w:t><w:t>@${domain}</w:t>`);
  const [local, central] = [Buffer.alloc(30), Buffer.alloc(46)];
  local.write("PK\u0003\u0004", "latin1");
  central.write("PK\u0001\u0002", "latin1");
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(xml.length, 20);
  const raw = lines(
    ...[`From: ${real}`, "Date: Fri, 20 Nov 2026 10:12:31 +0100", "Message-ID: <x@home.example>"],
    'Content-Type: application/vnd.openxmlformats-officedocument.wordprocessingml.document; name="letter.docx"',
    ...["Content-Transfer-Encoding: base64", "", Buffer.concat([local, xml, central]).toString("base64"), ""],
  );
  expect((await compose(raw)).leaks).toEqual(['in the attachment "letter.docx"']);
});

test.each([
  ["text/plain", `Yes.\n\n> ${real}\n`],
  ["text/plain", `Yes.\r\n\n> ${real}\r`],
  ["text/html", `<p>Yes.</p>\n<blockquote>${real}\n</blockquote>`],
])("what is rewritten of %s has CRLF alone, whatever line ends its encoding hid", async (type, text) => {
  const fields = [`Content-Type: ${type}; charset=utf-8`, "Content-Transfer-Encoding: base64"];
  const { message, leaks } = await compose(
    lines(answerHeader(...fields), "", Buffer.from(text).toString("base64"), ""),
  );
  expect(leaks).toEqual([]);
  expect(message.toString()).toContain("shop@proxy.example");
  expect(hasOnlyCrlf(message, undefined)).toBe(true);
});

test.each(["写道：", "wrote:"])("an attribution that ends with %s is quoted text", async (end) => {
  const text = `Yes.\r\n\r\nAnn <${reverse}> ${end}\r\n\r\n> x`;
  const html = `<p>Yes.</p><p>Ann &lt;${reverse}&gt; ${end}</p><blockquote>x</blockquote>`;
  for (const [type, body] of [
    ["text/plain", text],
    ["text/html", html],
  ] as const) {
    const raw = lines(answerHeader(`Content-Type: ${type}; charset=utf-8`), "", body);
    expect((await compose(raw)).leaks).toEqual([]);
  }
});

test("an answer of a program without MIME is of MIME once its quotation is rewritten, and else stays as it is", async () => {
  const composed = async (line: string) =>
    (await compose(lines(answerHeader(), "", "Yes.", line, ""))).message.toString();
  expect(await composed(`> to ${real}, a = b`)).toMatch(/\r\nMIME-Version: 1\.0\r\n/);
  expect(await composed("> to you")).not.toContain("MIME-Version");
});
