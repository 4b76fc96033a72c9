import { expect, test } from "@jest/globals";
import { headerField, textAsBytes } from "../../message/header/fields.ts";
import { authorsOf } from "./authors.ts";

function authors(...values: string[]) {
  return authorsOf(values.map((value) => headerField("From", textAsBytes(value))));
}

function addresses(...values: string[]): string[] {
  return authors(...values).addresses.map(({ localPart, domain }) => `${localPart}@${domain}`);
}

test.each([
  ["a@x.example", ["a@x.example"]],
  [" Ann <a@X.example>", ["a@x.example"]],
  ['"Doe, J" <a@x.example>, b@y.example', ["a@x.example", "b@y.example"]],
  ["a @ (c (d) \\) e) x\r\n\t. example", ["a@x.example"]],
  ['"a\\"b@c"@x.example', ['a"b@c@x.example']],
  ["a . b@x.example", ["a.b@x.example"]],
  ["<@r.example,@s.example:a@x.example>", ["a@x.example"]],
  ["Team: a@x.example, B <b@x.example>;, c@y.example", ["a@x.example", "b@x.example", "c@y.example"]],
  ["a@[192.0.2.1]", ["a@[192.0.2.1]"]],
  ["jörg@münchen.example", ["jörg@xn--mnchen-3ya.example"]],
  ["a@x。example", ["a@x.example"]],
  ["a@x.example <a@x.example>", ["a@x.example"]],
  ["Foo, Inc. <a@x.example>", ["a@x.example"]],
  ["=?utf-8?q?=40?= <a@x.example>", ["a@x.example"]],
  ["=?utf-8?q?Doe,_J?= <a@x.example>", ["a@x.example"]],
  ["J\ufffdrg <a@x.example>", ["a@x.example"]],
])("%j is by %j", (value, expected) => {
  expect(addresses(value)).toEqual(expected);
  expect(authors(value).isUnreadable).toBe(false);
  expect(authors(value).addresses.every(({ isCertain }) => isCertain)).toBe(true);
});

test("two fields have the authors of both", () => {
  expect(addresses("a@x.example", "b@y.example")).toEqual(["a@x.example", "b@y.example"]);
});

test("a final dot is no other domain", () => {
  expect(addresses("a@x.example.")).toEqual(["a@x.example"]);
});

test.each([
  ["p@y.example and q@z.example <a@x.example>", ["p@y.example", "q@z.example", "a@x.example"]],
  ["p@y.example: a@x.example;", ["p@y.example", "a@x.example"]],
  ["a@x.example b@y.example", ["a@x.example", "b@y.example"]],
  ["<a@x.example> <b@y.example>", ["a@x.example", "b@y.example"]],
])("%j may be by any of %j", (value, expected) => {
  expect(addresses(value)).toEqual(expect.arrayContaining(expected));
  expect(authors(value).addresses.some(({ isCertain }) => isCertain)).toBe(false);
  expect(authors(value).isUnreadable).toBe(true);
});

test.each([
  "",
  "nobody",
  "Undisclosed senders:;",
  "<>",
  "=?utf-8?q?a@y.example?= <a@x.example>",
  "A <a@x.example",
  '"A <a@x.example>',
  "a@x.example (no end",
  "a@b@c.example",
  '"a@x.example", <b@y.example>',
  "A [a@x.example]",
  "a@x.example\0.y.example",
  "a@x.example/y",
  "a@x%2eexample",
  "'a@x.example' via a list <b@y.example>",
  "a@x..example",
  "@x.example",
  `${"a".repeat(17_000)} <a@x.example>`,
  Array.from({ length: 11 }, (_, at) => `a@${at}.example`).join(", "),
])("%j cannot be told", (value) => {
  expect(authors(value).isUnreadable).toBe(true);
});

test("a message without From has no author, and nothing to misread", () => {
  expect(authorsOf([headerField("Subject", "x")])).toMatchObject({ addresses: [], isUnreadable: false });
});
