import { expect, test } from "@jest/globals";
import { calendarMailboxes, incomingCalendar } from "./incoming-calendar.ts";

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

test.each(encodings)(
  "an invitation in %s names reverse addresses, and nothing else of the message is touched",
  (name, write, read) => {
    const message = Buffer.from(messageOf(name, write(calendar)));
    expect(calendarMailboxes(message)).toEqual([
      { address: "ann@shop.example", name: "", invitesReplies: true },
      { address: "shop@proxy.example", name: "", invitesReplies: false },
    ]);
    const left = incomingCalendar(message, new Map([["ann@shop.example", reverse]])).toString();
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
    expect(incomingCalendar(message, new Map())).toBe(message);
  },
);

test("signed invitations, and mail without any, stay as they are", () => {
  const signed = messageOf("8bit", calendar).replace("multipart/mixed", "multipart/signed");
  for (const raw of [signed, `Subject: text/calendar\r\n\r\n${calendar}`]) {
    expect(calendarMailboxes(Buffer.from(raw))).toEqual([]);
    expect(incomingCalendar(Buffer.from(raw), new Map([["ann@shop.example", reverse]])).toString()).toBe(raw);
  }
});
