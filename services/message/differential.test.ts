import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import libmime from "libmime";
import { type ParsedMail, simpleParser } from "mailparser";
import addressparser from "nodemailer/lib/addressparser";
import MailComposer from "nodemailer/lib/mail-composer";
import { parseAddressList } from "./address/address-list.ts";
import { decodeEncodedWords } from "./coding/encoded-words.ts";
import { bytesAsText, type HeaderField, unfoldedBody } from "./header/fields.ts";
import type { Entity, MimeLimits } from "./mime/entity.ts";
import { type Leaf, readLeaves } from "./mime/leaves.ts";
import { parameterText, parseParameterized } from "./mime/parameters.ts";

// What mailparser, libmime and nodemailer make of the same mail. Where they say something else it stands here, with the reason.

const limits: MimeLimits = { entities: 1_000, depth: 50, headerBytes: 1_000_000 };
const folder = new URL("../../test/corpus/", import.meta.url);
const corpus = readdirSync(folder).map((file) => {
  const bytes = Buffer.from(readFileSync(new URL(file, folder), "latin1").replaceAll("\n", "\r\n"), "latin1");
  return { name: file.replace(/\.eml$/, ""), bytes, leaves: readLeaves(bytes, limits) };
});
type Sample = (typeof corpus)[number];

function fieldsOf({ leaves }: { leaves: readonly Leaf[] }, names: RegExp): HeaderField[] {
  const entities = new Set<Entity>();
  for (const { entity } of leaves)
    for (let each: Entity | undefined = entity; each; each = each.parent) entities.add(each);
  return [...entities].flatMap(({ fields }) => fields).filter(({ name }) => names.test(name));
}

/** What others read differently, by sample. */
const otherLeaves: Readonly<Record<string, string>> = {
  "boundary-with-trailing-blanks": "mailparser takes a delimiter with blanks behind it for content",
  "inner-multipart-not-closed": "mailparser looks for the innermost boundary alone",
  "x-uuencode": "mailparser does not decode it",
  "inline-text-with-a-name": "mailparser takes text with a name for the body",
};
const otherWords: Readonly<Record<string, string>> = {
  "x-parted-between-encodings": "libmime joins no B with a Q",
  "x-question": "libmime finds no end of a word with a question mark",
};

const files = (mail: ParsedMail) =>
  mail.attachments.map(({ filename, content }) => [filename, content.toString("latin1")]);
const isFile = ({ entity: { content } }: Leaf) =>
  content.disposition === "attachment" || !content.type.startsWith("text/");

test.each(corpus)("$name has the files that mailparser finds, or more", async ({ name, bytes, leaves }: Sample) => {
  const theirs = files(await simpleParser(bytes));
  const ours = leaves.filter((leaf) => isFile(leaf) || leaf.entity.content.fileName !== undefined);
  const named = ours.map(({ entity, bytes: content }) => [entity.content.fileName, content.toString("latin1")]);
  if (name in otherLeaves) expect(named).not.toEqual(theirs);
  else expect(named).toEqual(theirs);
});

test.each(corpus)("$name has the words that libmime decodes, or more", (sample: Sample) => {
  for (const field of fieldsOf(sample, /^(?:subject|x-.*)$/)) {
    const body = bytesAsText(unfoldedBody(field));
    const theirs = libmime.decodeWords(body).replaceAll(/[\r\n]+/g, " ");
    if (field.name in otherWords) expect(decodeEncodedWords(body)).not.toBe(theirs);
    // Of a charset that it does not know libmime makes UTF-8.
    else if (field.name !== "x-unknown") expect(decodeEncodedWords(body)).toBe(theirs);
  }
});

test.each(corpus)("$name has the parameters that libmime reads", (sample: Sample) => {
  for (const field of fieldsOf(sample, /^content-(?:type|disposition)$/)) {
    const { value, parameters } = parseParameterized(unfoldedBody(field));
    const theirs = libmime.parseHeaderValue(bytesAsText(unfoldedBody(field)));
    expect(value).toBe(String(theirs.value).toLowerCase());
    const decoded = Object.entries(theirs.params).map(([name, text]) => [name, libmime.decodeWords(text)]);
    expect(Object.fromEntries([...parameters].map(([name, each]) => [name, parameterText(each)]))).toEqual(
      Object.fromEntries(decoded),
    );
  }
});

test.each(corpus)("$name has the addresses that nodemailer reads", (sample: Sample) => {
  for (const field of fieldsOf(sample, /^(?:from|to|cc|reply-to)$/)) {
    const ours = parseAddressList(unfoldedBody(field)).mailboxes.map((each) => `${each.localPart}@${each.domain}`);
    const theirs = addressparser(unfoldedBody(field), { flatten: true }).map(({ address }) => address);
    // Routes, and blanks around dots, are none of nodemailer's.
    if (sample.name === "addresses" && field.name !== "to" && field.name !== "from") continue;
    expect(ours).toEqual(theirs);
  }
});

test("property: what nodemailer composes is read as mailparser reads it", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."abc äöß日本💩.,;=?_-\n"), minLength: 1, maxLength: 200 });
  const name = fc.string({ unit: fc.constantFrom(..."abc äöß日本.;=?_-'(2)"), minLength: 1, maxLength: 60 });
  const content = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const attachment = fc.record({ filename: name.map((each) => `x${each}.bin`), content });
  const mail = fc.record({
    subject: text.map((each) => each.replaceAll("\n", " ")),
    text,
    html: text,
    attachments: fc.array(attachment, { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(mail, async (given) => {
      const raw = await new MailComposer({ from: "a@x.example", to: "b@y.example", ...given }).compile().build();
      const theirs = await simpleParser(raw);
      const leaves = readLeaves(raw, limits);
      expect(
        leaves.filter(isFile).map(({ entity, bytes }) => [entity.content.fileName, bytes.toString("latin1")]),
      ).toEqual(files(theirs));
      const plain = leaves.find(({ entity }) => entity.content.type === "text/plain");
      expect(plain?.bytes.toString().replaceAll("\r\n", "\n").trimEnd()).toBe(theirs.text?.trimEnd());
    }),
    { numRuns: 50 },
  );
});
