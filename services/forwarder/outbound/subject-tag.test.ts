import { expect, test } from "@jest/globals";
import { decodeEncodedWords } from "../../message/coding/encoded-words.ts";
import { parseFields, serializeFields, unfoldedBody } from "../../message/header/fields.ts";
import { withSubjectTag } from "./subject-tag.ts";

function tagged(header: string, tag: string): string[] {
  const fields = withSubjectTag(parseFields(Buffer.from(`${header}\r\n`)), tag);
  const read = parseFields(Buffer.from(serializeFields(fields), "latin1"));
  return read.filter(({ name }) => name === "subject").map((field) => decodeEncodedWords(unfoldedBody(field)));
}

test.each([
  ["Subject: Offer", "[ads]", ["[ads] Offer"]],
  ["SUBJECT:  =?utf-8?q?Caf=C3=A9?=", "[ads]", ["[ads] Café"]],
  ["Subject: =?utf-8?q?Caf=C3=A9?=", "[Bücher]", ["[Bücher] Café"]],
  ["Subject: Offer", "=?x", ["=?x Offer"]],
  [`Subject: ${"long ".repeat(30)}end`, "[ads]", [`[ads] ${"long ".repeat(30)}end`]],
  ["Subject: folded\r\n in two", "[ads]", ["[ads] folded in two"]],
  ["From: a@b.example", "[ads]", ["[ads]"]],
  ["Subject:", "[ads]", ["[ads]"]],
  ["Subject: one\r\nSubject: two", "[ads]", ["[ads] one", "[ads] two"]],
])("%j with %s", (header, tag, subjects) => {
  expect(tagged(header, tag)).toEqual(subjects);
});

test("no line is made longer than one may be, and what has no tag to get stays as it is", () => {
  const fields = parseFields(Buffer.from(`Subject: ${"x".repeat(990)}\r\nX-Other: y\r\n`));
  const lines = serializeFields(withSubjectTag(fields, "[ads]")).split("\r\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(998);
  expect(withSubjectTag(fields, "")).toBe(fields);
  const answer = parseFields(Buffer.from("Subject: Re: [ads] Offer\r\n"));
  expect(withSubjectTag(answer, "[ads]")).toBe(answer);
});
