import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { type ParsedMessage, parseMessage } from "./message.ts";

const lines = (...parts: string[]) => `${parts.join("\r\n")}\r\n`;

function read(raw: string | Buffer, chunkBytes = 1_000): Promise<ParsedMessage<Buffer>> {
  const bytes = Buffer.from(raw as string);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  return parseMessage(Readable.from(chunks, { objectMode: false }), buffer, AbortSignal.timeout(30_000));
}

const headersOf = (message: ParsedMessage<Buffer>) => Object.fromEntries(message.headers);

test("a plain message is its headers and its text", async () => {
  const message = await read(lines("From: ann@example.org", "Subject: Hello", "", "One", "Two"));
  expect(message).toEqual({
    headers: [
      ["From", "ann@example.org"],
      ["Subject", "Hello"],
    ],
    author: { name: "", address: "ann@example.org" },
    text: "One\nTwo\n",
    html: null,
    attachments: [],
    fault: null,
    isCut: false,
  });
});

test("HTML alone has no text of its own", async () => {
  const message = await read(lines("Content-Type: text/html; charset=utf-8", "", "<b>Grüße</b>"));
  expect(message.html?.trim()).toBe("<b>Grüße</b>");
  expect(message.text ?? "").toBe("");
});

test("attachments go to the keeper in order, whatever way their names are written", async () => {
  const message = await read(
    lines(
      "Subject: =?utf-8?B?w4RwZmVs?=",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: multipart/alternative; boundary=c",
      "",
      "--c",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Gr=FC=DFe",
      "--c",
      "Content-Type: text/html; charset=utf-8",
      "",
      "<p>Grüße</p>",
      "--c--",
      "--b",
      'Content-Type: application/pdf; name="=?utf-8?Q?Rechnung_f=C3=BCr.pdf?="',
      "Content-Transfer-Encoding: base64",
      "Content-Disposition: attachment",
      "",
      "aGVsbG8=",
      "--b",
      "Content-Type: text/csv",
      "Content-Disposition: attachment; filename*0*=utf-8''%E6%97%A5; filename*1*=%E6%9C%AC.csv",
      "",
      "a,b",
      "--b",
      "Content-Type: image/png",
      'Content-Disposition: inline; filename="ünï/cødé.png"',
      "Content-ID: <logo@example.org>",
      "",
      "png",
      "--b",
      "Content-Type: application/ms-tnef; name=winmail.dat",
      "",
      "tnef",
      "--b",
      "Content-Type: message/rfc822",
      "",
      "Subject: inner",
      "",
      "inner text",
      "--b--",
    ),
    7,
  );
  expect(message.headers[0]).toEqual(["Subject", "Äpfel"]);
  expect([message.text, message.html]).toEqual(["Grüße", "<p>Grüße</p>"]);
  expect(
    message.attachments.map(({ filename, mime, contentId, stored }) => [filename, mime, contentId, stored.toString()]),
  ).toEqual([
    ["Rechnung für.pdf", "application/pdf", null, "hello"],
    ["日本.csv", "text/csv", null, "a,b"],
    ["ünï_cødé.png", "image/png", "logo@example.org", "png"],
    ["winmail.dat", "application/ms-tnef", null, "tnef"],
    ["message-5.eml", "message/rfc822", null, "Subject: inner\r\n\r\ninner text"],
  ]);
});

test("text between HTML parts keeps its place", async () => {
  const message = await read(
    lines(
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "",
      "Tom & Jerry",
      "--b",
      "Content-Type: text/html",
      "",
      "<i>below</i>",
      "--b--",
    ),
  );
  expect(message.html).toBe("<p>Tom &amp; Jerry</p><br/>\n<i>below</i>");
});

test("headers: folded, encoded over two words, raw UTF-8, Latin-1", async () => {
  const message = await read(
    Buffer.concat([
      Buffer.from(
        lines(
          "Subject: =?utf-8?B?w6TDtg==?=",
          " =?utf-8?Q?_=E2=82?= =?utf-8?Q?=AC?= end",
          "X-Raw: näh",
          "X-Unknown: =?x-none?Q?a?=",
        ),
      ),
      Buffer.from("X-Latin: näh\r\n\r\n", "latin1"),
    ]),
  );
  expect(headersOf(message)).toEqual({
    Subject: "äö € end",
    "X-Raw": "näh",
    "X-Unknown": "=?x-none?Q?a?=",
    "X-Latin": "näh",
  });
});

test.each([
  ["nothing at all", "", {}, ""],
  ["an empty line", "\r\n", {}, ""],
  ["no header", "just some\r\ntext\r\n", {}, "just some\ntext\n"],
  ["no header, and a body", "\r\nbody\r\n", {}, "body\n"],
  ["no body", "Subject: only\r\n", { Subject: "only" }, ""],
  [
    "a boundary that never comes",
    "Subject: s\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\nlost?\r\n",
    { Subject: "s" },
    "lost?\n",
  ],
])("%s is read as far as it goes", async (_what, raw, headers, text) => {
  const message = await read(raw);
  expect(headersOf(message)).toMatchObject(headers);
  expect([message.text ?? "", message.fault]).toEqual([text, null]);
});

test("an attachment that is cut off is stored as far as it came", async () => {
  const message = await read(
    "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: a/b; name=c\r\n\r\nunfinish",
  );
  expect(message.attachments.map(({ stored }) => stored.toString())).toEqual(["unfinish"]);
});

test("what is over a limit is left out, and the message says so", async () => {
  const many = await read(
    `Subject: many\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${"--x\r\n\r\npart\r\n".repeat(1_200)}--x--\r\n`,
  );
  expect(headersOf(many)).toMatchObject({ Subject: "many" });
  expect(many.fault).toMatch(/more than 1000 parts/);
  expect(many.text?.match(/part/g)).toHaveLength(1_000);
  const wide = await read(`Subject: wide\r\nX: ${"a".repeat(2_000_000)}\r\n\r\nbody`, 65_536);
  expect(headersOf(wide)).toMatchObject({ Subject: "wide" });
  expect(wide.fault).toMatch(/header section is longer/);
});

test("millions of delimiters, or of lines that nearly are", async () => {
  const header = "Subject: s\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
  const parts = await read(`${header}${"--b\r\n".repeat(1_000_000)}`, 65_536);
  expect(parts).toMatchObject({ fault: "it has more than 1000 parts", isCut: true });
  const lines = await read(`${header}${"--c\r\n".repeat(1_000_000)}`, 65_536);
  expect(lines).toMatchObject({ fault: null, isCut: true });
  expect(lines.text).toMatch(/^--c\n--c\n/);
});

test("texts together are held up to a limit", async () => {
  const raw = lines("Content-Type: multipart/mixed; boundary=x", "", "--x", "", "12345", "--x", "", "67890", "--x--");
  const message = await parseMessage(Readable.from([Buffer.from(raw)]), buffer, AbortSignal.timeout(30_000), 7);
  expect(message).toMatchObject({ text: "12345\n67", fault: null, isCut: true });
});

test("1,000 headers and 10 MB of text", async () => {
  const many = await read(
    lines(...Array.from({ length: 1_000 }, (_, index) => `X-Number-${index}: ${index}`), "", "text"),
  );
  expect(many.headers).toHaveLength(1_000);
  const long = await read(lines("Subject: long", "", `${"0123456789 ".repeat(6)}\n`.repeat(150_000)), 65_536);
  expect(long.text).toHaveLength(150_000 * 67 + 1);
});

test("NUL and unpaired surrogates are seen, and storable", async () => {
  const message = await read(
    lines("Subject: a=?utf-16le?B?ANg=?=", "Content-Type: text/plain; charset=utf-8", "", "x\0y"),
  );
  expect(message.text).toBe("x\uFFFDy\n");
  expect(message.headers[0]?.[1].isWellFormed()).toBe(true);
});

test("a source or a keeper that fails is no fault of the message", async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error("connection lost"));
    },
  });
  await expect(parseMessage(broken, buffer, AbortSignal.timeout(30_000))).rejects.toThrow("connection lost");
  const raw = lines("Content-Type: application/pdf", "", "pdf");
  const refusing = () => Promise.reject(new Error("disk full"));
  await expect(parseMessage(Readable.from([Buffer.from(raw)]), refusing, AbortSignal.timeout(30_000))).rejects.toThrow(
    "disk full",
  );
});
