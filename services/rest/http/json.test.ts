import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { memberFault, parseJson } from "./json.ts";

const twice = (name: string) => `The member "${name}" is there more than once in one object.`;

test.each([
  ['{"a":1,"a":2}', twice("a")],
  ['{"a":{"b":1},"c":[{"d":1,"d":2}]}', twice("d")],
  ['{"a":1,"\\u0061":2}', twice("a")],
  ['{"a":[{"__proto__":1}]}', 'A member cannot be named "__proto__".'],
  ['{"\\u005f_proto__":1}', 'A member cannot be named "__proto__".'],
  ['{"a":"__proto__","b":["__proto__"]}', undefined],
  ['{"a":"x","b":"a"}', undefined],
  ['{"a":{"a":{"a":[{"a":1},{"a":2}]}}}', undefined],
  ['{"a\\"b":1,"c":"\\"a\\":1,\\"a\\":2"}', undefined],
  ['{"a\\\\":1,"a\\\\":2}', 'The member "a\\\\" is there more than once in one object.'],
  ['{"":"\\\\\\"","b":1,"b":2}', twice("b")],
  ['["a","a"]', undefined],
  ['"a"', undefined],
])("%s: %s", (text, expected) => {
  expect(memberFault(text)).toBe(expected);
});

test("what JSON.stringify writes never holds a name twice", () => {
  // "__proto__" is among the names that are made up, and is a fault of its own.
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      [undefined, 'A member cannot be named "__proto__".'].includes(memberFault(JSON.stringify(value))),
    ),
    { numRuns: 2_000 },
  );
});

test("depth costs no stack", () => {
  expect(memberFault(`${"[".repeat(200_000)}${"]".repeat(200_000)}`)).toBeUndefined();
});

/** As long as what POST /messages and POST /imports take. */
const length = 8 * 1024 * 1024;

test.each([
  ["letters", "A".repeat(length)],
  ["backslashes", "\\".repeat(length / 2)],
  ["quotation marks", '"'.repeat(length / 2)],
  ["both by turns", '\\"'.repeat(length / 4)],
])(
  "a string of %s is read, however long it is, and what follows it",
  (_of, content) => {
    const text = JSON.stringify({ content, other: "" });
    expect(parseJson(Buffer.from(text))).toEqual({ content, other: "" });
    expect(memberFault(`${text.slice(0, -1)},"other":1}`)).toBe(twice("other"));
  },
  10_000,
);
