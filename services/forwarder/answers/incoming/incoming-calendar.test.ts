import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { hasOnlyCrlf } from "../../../message/crlf.ts";
import { editedPieces } from "../../outbound/edits.ts";
import { calendarMailboxes, incomingInvitations, mayInvite } from "./incoming-calendar.ts";

const reverse = "re+aaaabbbbccccddddeeeeffff22@proxy.example";
const calendar = [
  "BEGIN:VCALENDAR",
  "METHOD:REQUEST",
  "BEGIN:VEVENT",
  "ATTENDEE;CN=Me;RSVP=TRUE:mailto:shop@proxy.example",
  "ORGANIZER;CN=Jörg Müller from the shop around the corner;EMAIL=ann@shop.exa",
  " mple:MAILTO:Ann@shop.example",
  "DESCRIPTION:mail ann@shop.example",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");
const encodings: readonly [string, (text: string) => string, (text: string) => string][] = [
  ["8bit", (text) => text, (text) => text],
  [
    "base64",
    (text) => Buffer.from(text).toString("base64").replaceAll(/.{76}/g, "$&\r\n"),
    (text) => Buffer.from(text, "base64").toString(),
  ],
  [
    "quoted-printable",
    (text) => text.replaceAll("=", "=3D").replaceAll("ö", "=C3=B6").replaceAll("ü", "=C3=BC"),
    (text) =>
      Buffer.from(
        text
          .replaceAll("=\r\n", "")
          .replaceAll(/=([\dA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
        "latin1",
      ).toString(),
  ],
];
const messageOf = (encoding: string, body: string) =>
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nann@shop.example\r\n--b\r\nContent-Type: text/calendar; method=REQUEST; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n--b--\r\n`;

const known = new Map([
  ["ann@shop.example", reverse],
  ["shop@proxy.example", "own"],
]);
const rewritten = async (message: Buffer, reverseAddresses: ReadonlyMap<string, string>) =>
  Buffer.concat(editedPieces(message, (await incomingInvitations(message, reverseAddresses)).edits)).toString();

test.each(encodings)(
  "an invitation in %s names reverse addresses, and nothing else of the message is touched",
  async (name, write, read) => {
    const message = Buffer.from(messageOf(name, write(calendar)));
    expect(await calendarMailboxes(message)).toEqual([
      { address: "ann@shop.example", name: "", invitesReplies: true },
      { address: "shop@proxy.example", name: "", invitesReplies: false },
    ]);
    const left = await rewritten(message, known);
    const [before, after] = messageOf(name, "|").split("|");
    expect(left.startsWith(before ?? "-")).toBe(true);
    expect(left.endsWith(after ?? "-")).toBe(true);
    const body = read(left.slice(before?.length, -(after?.length ?? 0)));
    const unfolded = body.replaceAll("\r\n ", "");
    expect(unfolded).toBe(
      calendar
        .replaceAll("\r\n ", "")
        .replace("EMAIL=ann@shop.example", `EMAIL=${reverse}`)
        .replace("MAILTO:Ann@shop.example", `MAILTO:${reverse}`),
    );
  },
);

test("an invitation in quoted-printable with other line ends leaves with CRLF alone", async () => {
  const encoded = calendar.replaceAll("=", "=3D").replaceAll("\r\n", "=0A=\r\n").replace("DESCRIPTION:", "$&=0D");
  const message = Buffer.from(messageOf("quoted-printable", encoded));
  const { edits } = await incomingInvitations(message, known);
  expect(edits).toHaveLength(1);
  expect(hasOnlyCrlf(Buffer.concat(editedPieces(message, edits)), undefined)).toBe(true);
});

test("mail without invitations, and what is encrypted, stays as it is", async () => {
  const encrypted = messageOf("8bit", calendar).replace("multipart/mixed", "multipart/encrypted");
  for (const raw of [encrypted, `Subject: text/calendar\r\n\r\n${calendar}`]) {
    expect(await calendarMailboxes(Buffer.from(raw))).toEqual([]);
    expect(await rewritten(Buffer.from(raw), known)).toBe(raw);
  }
});

test("who gets no reverse address has a name alone", async () => {
  const people = [
    "BEGIN:VCALENDAR",
    'ATTENDEE;CN=Bob;EMAIL="bob@shop.example":mailto:bob@shop.example',
    'ATTENDEE;SENT-BY="mailto:bob@shop.example":mailto:ann@shop.example',
    "END:VCALENDAR",
    "",
  ].join("\r\n");
  const left = (await rewritten(Buffer.from(messageOf("8bit", people)), known)).replaceAll("\r\n ", "");
  expect(left).toContain("\r\nATTENDEE;CN=Bob:invalid:nomail\r\n");
  expect(left).toContain(`\r\nATTENDEE;SENT-BY="invalid:nomail":mailto:${reverse}\r\n`);
});

test("a signed invitation names reverse addresses, and is one that is signed no longer", async () => {
  const signed = `Content-Type: multipart/signed; protocol="x/y"; boundary=s\r\n\r\n--s\r\n${messageOf("8bit", calendar)}\r\n--s\r\nContent-Type: x/y\r\n\r\nsignature\r\n--s--\r\n`;
  const nested = `Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n${signed}\r\n--o--\r\n`;
  expect((await incomingInvitations(Buffer.from(signed), known)).isUnsigned).toBe(true);
  expect((await incomingInvitations(Buffer.from(nested), known)).isUnsigned).toBe(false);
  const left = await rewritten(Buffer.from(nested), known);
  expect(left).toContain(`--o\r\nContent-Type: multipart/mixed; protocol="x/y"; boundary=s\r\n\r\n--s`);
  expect(left.replaceAll("\r\n ", "")).toContain(`MAILTO:${reverse}`);
  expect(left).toContain("\r\nsignature\r\n");
  const elsewhere = signed.replace("BEGIN:VCALENDAR", "BEGIN:VCARD").replaceAll(/(?:ORGANIZER|ATTENDEE)/g, "X-");
  expect(await incomingInvitations(Buffer.from(elsewhere), known)).toEqual({ edits: [], isUnsigned: false });
});

test("an invitation is seen wherever the message is cut as it streams by", async () => {
  const message = Buffer.from(messageOf("8bit", calendar));
  for (let at = 40; at < 120; at += 1)
    expect(await mayInvite(Readable.from([message.subarray(0, at), message.subarray(at)]))).toBe(true);
  expect(await mayInvite(Readable.from([Buffer.from("text/plain")]))).toBe(false);
});
