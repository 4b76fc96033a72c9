import { encodeWord } from "nodemailer/lib/mime-funcs";
import { isPrintableAscii } from "../../message/coding/ascii.ts";
import { fieldText, foldedBody, type HeaderField, headerField } from "../../message/header/fields.ts";

/** RFC 5322 section 2.1.1 wants lines of 78 characters at most: a longer subject goes on in the next. */
const lineLimit = 78;
/** RFC 2047 section 2 allows 75. */
const wordCharacters = 75;
/** Of a subject that may have the tag already. */
const seenOctets = 4_000;

/**
 * Puts a tag before each Subject, or makes one: readers differ in which of several they show. One that has the tag already, as in an
 * answer, stays, so that the fields are those given.
 */
export function withSubjectTag(fields: readonly HeaderField[], tag: string): readonly HeaderField[] {
  if (tag === "") return fields;
  const subjects = fields.filter(({ name }) => name === "subject");
  if (subjects.length === 0) return [...fields, headerField("Subject", encoded(tag, false).trimEnd())];
  if (subjects.every((subject) => isTagged(subject, tag))) return fields;
  return fields.map((field) => (field.name === "subject" && !isTagged(field, tag) ? tagged(field, tag) : field));
}

function isTagged(subject: HeaderField, tag: string): boolean {
  return fieldText(subject, seenOctets).includes(tag);
}

/** The former body, folds included; a line that was no fold becomes one. */
function tagged(subject: HeaderField, tag: string): HeaderField {
  const name = subject.raw.slice(0, subject.name.length);
  const body = foldedBody(subject)
    .trimStart()
    .replaceAll(/\r?\n(?![ \t])/g, "\r\n ");
  const before = `${name}: ${encoded(tag, body.startsWith("=?"))}`;
  const [firstLine = ""] = body.split("\n", 1);
  const isLong = before.length + firstLine.length > lineLimit;
  return { name: subject.name, raw: isLong ? `${before.trimEnd()}\r\n ${body}` : `${before}${body}` };
}

/** With the space after it: one between two encoded-words would be no part of the text (RFC 2047 section 6.2). */
function encoded(tag: string, isBeforeWord: boolean): string {
  if (isPrintableAscii(tag) && !tag.includes("=?")) return `${tag} `;
  return `${encodeWord(isBeforeWord ? `${tag} ` : tag, "B", wordCharacters)} `;
}
