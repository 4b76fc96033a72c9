import { expect, test } from "@jest/globals";
import fc from "fast-check";
import addressparser from "nodemailer/lib/addressparser";
import { parseFields, serializeFields } from "../../message/header/fields.ts";
import { withOwnFrom } from "./rewrite-from.ts";

const proxy = "proxy@postern.example";
const ownDomains = ["postern.example", "service.example"];

function rewritten(header: string): string {
  return serializeFields(withOwnFrom(parseFields(Buffer.from(header, "latin1")), proxy, ownDomains));
}

test.each([
  [
    "From: Joe Doe <joe@x.org>",
    'From: "Joe Doe (joe at x.org)" <proxy@postern.example>\r\nReply-To: Joe Doe <joe@x.org>',
  ],
  ["From: joe@x.org", 'From: "joe at x.org" <proxy@postern.example>\r\nReply-To: joe@x.org'],
  [
    'From: "Doe, \\"J\\"" <joe@x.org>',
    'From: "Doe, \\"J\\" (joe at x.org)" <proxy@postern.example>\r\nReply-To: "Doe, \\"J\\"" <joe@x.org>',
  ],
  [
    "From: =?utf-8?q?J=C3=B6rg?= =?utf-8?q?_X?= <j@x.org>",
    'From: =?utf-8?q?J=C3=B6rg?= =?utf-8?q?_X?= "(j at x.org)"\r\n <proxy@postern.example>\r\nReply-To: =?utf-8?q?J=C3=B6rg?= =?utf-8?q?_X?= <j@x.org>',
  ],
  [
    "From: J\xc3\xb6rg <j\xc3\xb6rg@x.org>",
    'From: "J\xc3\xb6rg (j\xc3\xb6rg at x.org)" <proxy@postern.example>\r\nReply-To: J\xc3\xb6rg <j\xc3\xb6rg@x.org>',
  ],
  [
    'From: "Voil\xc3\xa0 \xc3\xa0" <v@x.org>',
    'From: "Voil\xc3\xa0 \xc3\xa0 (v at x.org)" <proxy@postern.example>\r\nReply-To: "Voil\xc3\xa0 \xc3\xa0" <v@x.org>',
  ],
  [
    "From: A <a@x.org>,\r\n\tb@y.org",
    'From: "A (a at x.org), b at y.org" <proxy@postern.example>\r\nReply-To: A <a@x.org>,\r\n\tb@y.org',
  ],
  [
    "From: Team: a@x.org, B <b@x.org>;",
    'From: "a at x.org, B (b at x.org)" <proxy@postern.example>\r\nReply-To: Team: a@x.org, B <b@x.org>;',
  ],
  ["From: Undisclosed senders:;", 'From: "Undisclosed senders" <proxy@postern.example>'],
  ["From: nobody", 'From: "nobody" <proxy@postern.example>'],
  ["From:", "From: <proxy@postern.example>"],
  [
    "From: a@x.org\r\nSubject: two\r\nFrom: b@x.org",
    'From: "a at x.org, b at x.org" <proxy@postern.example>\r\nReply-To: a@x.org,\r\n\tb@x.org\r\nSubject: two',
  ],
  ["From: a@x.org\r\nReply-To: list@x.org", 'From: "a at x.org" <proxy@postern.example>\r\nReply-To: list@x.org'],
])("%j becomes %j", (given, expected) => {
  expect(rewritten(`Received: x\r\n${given}\r\nTo: y\r\n`)).toBe(`Received: x\r\n${expected}\r\nTo: y\r\n`);
});

test.each([
  ["From: postmaster@postern.example", 'From: "postmaster" <proxy@postern.example>'],
  ["From: CEO <ceo@mail.postern.example>", 'From: "CEO (ceo)" <proxy@postern.example>'],
  [
    "From: \"'x@postern.example' via a list\" <l@x.org>",
    "From: \"'x' via a list (l at x.org)\" <proxy@postern.example>",
  ],
  [
    "From: =?utf-8?q?J=C3=B6rg=40postern.example?= <j@x.org>",
    'From: =?UTF-8?Q?J=C3=B6rg?= "(j at x.org)" <proxy@postern.example>',
  ],
  ['From: "a @ postern . example" <a@x.org>', 'From: "a (a at x.org)" <proxy@postern.example>'],
  ['From: "postern.example Service" <a@x.org>', 'From: "Service (a at x.org)" <proxy@postern.example>'],
  [
    'From: "J. Smith, postern.example.org" <a@x.org>',
    'From: "J. Smith, postern.example.org (a at x.org)" <proxy@postern.example>',
  ],
  ['From: "postmaster@service.example" <a@x.org>', 'From: "postmaster (a at x.org)" <proxy@postern.example>'],
  ['From: "a@postern. @ postern . example example" <a@x.org>', 'From: "a (a at x.org)" <proxy@postern.example>'],
  [
    'From: "postern. @ service. @ postern . example example example" <a@x.org>',
    'From: "(a at x.org)" <proxy@postern.example>',
  ],
  [
    `From: "${"postern. @ ".repeat(60)}postern . example${" example".repeat(60)}" <a@x.org>`,
    "From: <proxy@postern.example>",
  ],
])("%j shows no address of ours: %j", (given, expected) => {
  expect(rewritten(`${given}\r\nReply-To: a@x.org\r\n`)).toBe(`${expected}\r\nReply-To: a@x.org\r\n`);
});

test("a header section without From stays as it is", () => {
  expect(rewritten("Subject: x\r\nno field\r\n")).toBe("Subject: x\r\nno field\r\n");
});

test("whatever a name is, the new From is one field in short lines, with one address: the proxy address", () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", maxLength: 1_500 }).map((text) => Buffer.from(text).toString("latin1")),
    fc
      .array(
        fc.constantFrom(
          "word",
          '"',
          "\\",
          "=?utf-8?q?x?=",
          "=?utf-8?q?Doe,_J?=",
          "<",
          ">",
          "(",
          ")",
          "\t",
          ":",
          ";",
          ",",
        ),
        {
          maxLength: 300,
        },
      )
      .map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(name, (text) => {
      const [from] = withOwnFrom(
        parseFields(Buffer.from(`From: ${text.replaceAll(/[\r\n]/g, " ")} <a@x.org>\r\n`, "latin1")),
        proxy,
        ownDomains,
      );
      const raw = from?.raw ?? "";
      expect(raw).toMatch(/^From:(?: [^\r\n]*)?(?:\r\n [^\r\n]*[^ \r\n][^\r\n]*)*$/);
      for (const line of raw.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
      const addresses = addressparser(raw.slice("From:".length), { flatten: true });
      expect(addresses.map(({ address }) => address)).toEqual([proxy]);
    }),
    { numRuns: 1_000 },
  );
});
