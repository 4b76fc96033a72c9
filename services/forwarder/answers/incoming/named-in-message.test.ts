import { expect, test } from "@jest/globals";
import { isNamedIn } from "./named-in-message.ts";

const address = "olive@example.org";
const ownDomains = ["postern.localhost"];

async function* inChunks(message: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(message);
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const isNamed = (...lines: readonly string[]) => isNamedIn(inChunks(lines.join("\r\n")), [address], ownDomains);
const part = (...lines: readonly string[]) => ["--b", ...lines];
const multipart = (...parts: readonly string[][]) => [
  ...["From: ann@shop.example", "Content-Type: multipart/mixed; boundary=b", ""],
  ...parts.flat(),
  "--b--",
  "",
];

test.each([
  ["a display name", 'From: "olive@example.org" <ann@shop.example>'],
  ["an encoded display name", "From: =?utf-8?Q?olive=40?= =?iso-8859-1?Q?example.org?= <ann@shop.example>"],
  ["a display name with escapes", 'From: "olive\\@example.org" <ann@shop.example>'],
  ["a comment", "From: ann@shop.example (olive@example.org)"],
  ["a local part", 'From: "olive@example.org"@shop.example'],
  [
    "a display name around an address of ours",
    'From: "olive@postern.localhostx@example.org" <ann@shop.example>',
    false,
  ],
  ["a display name in other characters", 'From: "olive\uff20example.org x@postern.localhost" <ann@shop.example>'],
  ["the name of a group", "Cc: olive=?utf-8?Q?=40example.org?=:;"],
  ["the subject", "Subject: =?utf-8?B?b2xpdmVAZXhhbXBsZS5vcmc=?="],
  ["the name of a file", "Content-Disposition: attachment; filename*0=olive@exa; filename*1=mple.org"],
  ["the subject, as in a URL", "Subject: Look at https://shop.example/?to=olive%40example.org"],
  ["a display name, as in a URL", 'From: "olive%40example%2Eorg" <ann@shop.example>'],
  ["the subject, by references", "Subject: olive&#64;example.org"],
  ["any other field", "Message-ID: <olive@example.org>"],
  ["an address, which its owner sees as a reverse address", "To: olive@example.org", false],
])("in the header: %s", async (_name, field, isFound = true) => {
  expect(await isNamed(field, "", "Hello")).toBe(isFound);
});

test("in texts: of parts, of messages within, of folded calendars, and with letters that are others in the other case", async () => {
  expect(await isNamed(...multipart(part("", "Hello"), part("Content-Type: text/x-note", "", address)))).toBe(true);
  expect(await isNamed(...multipart(part("Content-Type: image/png", "", address)))).toBe(false);
  const inner = ["Content-Type: message/rfc822", "", "From: ann@shop.example", "Content-Transfer-Encoding: base64", ""];
  expect(await isNamed(...multipart(part(...inner, Buffer.from(address).toString("base64"))))).toBe(true);
  expect(await isNamed(...multipart(part("Content-Type: message/rfc822", "", `To: ${address}`, "", "Hello")))).toBe(
    true,
  );
  expect(await isNamed("Subject: x", "", "https://shop.example/?to=olive%40example.org&x=y")).toBe(true);
  expect(await isNamed("Content-Type: text/calendar", "", "SUMMARY:olive@exam", " ple.org")).toBe(true);
  expect(await isNamedIn(inChunks("Subject: x\r\n\r\n\u017fam@e.org"), ["sam@e.org"], ownDomains)).toBe(true);
  expect(await isNamedIn(inChunks("Content-Type: text/html\r\n\r\n&#383;am@e.org"), ["sam@e.org"], ownDomains)).toBe(
    true,
  );
});

test("in flowed text, as it is shown", async () => {
  const flowed = (parameters: string, ...body: string[]) =>
    isNamed(`Content-Type: text/plain; format=flowed${parameters}`, "", ...body);
  expect(await flowed("; delsp=yes", "write to olive@ ", "example.org")).toBe(true);
  expect(await flowed("; delsp=yes", "> olive ", "> @example.org")).toBe(true);
  expect(await flowed("", "write to olive@ ", "example.org")).toBe(false);
});

test("in HTML: as browsers show it, and in URLs that are written by references", async () => {
  const html = (body: string) => isNamed("Content-Type: text/html", "", body);
  expect(await html('<p>olive<b title="a>b">@</b>example.org</p>')).toBe(true);
  expect(await html("<p>olive<!-- <b> -->@example.org</p>")).toBe(true);
  expect(await html('<a href="mailto:olive&#37;40example.org">write</a>')).toBe(true);
  expect(await html("<p>olive</p><p>example.org @ home</p>")).toBe(false);
});

test.each([
  ["özge@bücher.example", "ÖZGE@xn--bcher-kva.example"],
  ["özge@xn--bcher-kva.example", "o\u0308zge@bücher.example"],
])("%s in any notation in which a quotation of it would be replaced, such as %s", async (real, guess) => {
  expect(await isNamedIn(inChunks(`Subject: x\r\n\r\n${guess}`), [real], ownDomains)).toBe(true);
  expect(await isNamedIn(inChunks(`Subject: ${guess}\r\n\r\nx`), [real], ownDomains)).toBe(true);
});

test("more text than is searched counts as naming it, in one part or in many", async () => {
  const text = "x".repeat(78).concat("\r\n").repeat(13_000);
  const parts = (count: number, type = "text/plain") =>
    multipart(...Array.from({ length: count }, () => part(`Content-Type: ${type}`, "", text)));
  expect(await isNamed(...parts(3))).toBe(false);
  expect(await isNamed(...parts(5))).toBe(true);
  expect(await isNamed("Subject: x", "", text.repeat(5))).toBe(true);
  expect(await isNamed(...parts(5, "image/png"))).toBe(false);
  expect(await isNamed(...multipart(...Array.from({ length: 501 }, () => part("", "x"))))).toBe(true);
});

test("other work gets its turn between the readings of a long text", async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const line = "<p>Someone &amp; co.<b>%40</b> someone@shop.example</p>\r\n";
  expect(await isNamed("Content-Type: text/html", "", line.repeat(10_000))).toBe(false);
  isOver = true;
  // Of five readings, or more: as it is, and without each of what programs undo.
  expect(turns).toBeGreaterThan(4);
});
