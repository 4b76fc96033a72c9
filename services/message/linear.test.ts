import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseAddressList } from "./address/address-list.ts";
import { decodeCountingSteps } from "./coding/encoded-words.ts";
import { FieldReader } from "./header/fields.ts";
import { MimeParser } from "./mime/mime-parser.ts";
import { parseParameterized } from "./mime/parameters.ts";

// What a parser looks at grows with the length of what it reads and no faster, whatever that is made of. Steps are counted, not
// seconds; a text of twice the length must not cost more than twice as much, but for a little at its ends.

const sizes = [1_000, 16_000];
const perCharacter = 16;

function expectLinear(stepsFor: (size: number) => number): void {
  const steps = sizes.map((size) => stepsFor(size) / size);
  expect(Math.max(...steps)).toBeLessThan(perCharacter);
}

const filled = (units: readonly string[]) => (size: number) => {
  const unit = units.join("");
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
};
const unitsOf = (...pieces: string[]) => fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 });

test("property: header sections, their names parted from the colon or without one", () => {
  const units = unitsOf("a", ":", " ", "\t", "\r\n", "\n", "\r", "\r\n ", "a\r\n ", "a: b\r\n");
  fc.assert(
    fc.property(units, (given) => {
      expectLinear((size) => {
        const reader = new FieldReader(Buffer.from(filled(given)(size)));
        reader.read();
        return reader.steps;
      });
    }),
  );
});

test("property: encoded-words, also those that only begin", () => {
  const units = unitsOf(
    "=?",
    "?=",
    "=?utf-8?q?a?=",
    "=?utf-8?b?w6Q?=",
    "=?utf-8?q?",
    "?q?",
    "?",
    "=",
    " ",
    "\r\n ",
    "a",
    "*",
    "=41",
  );
  fc.assert(
    fc.property(units, (given) => {
      expectLinear((size) => decodeCountingSteps(filled(given)(size)).steps);
    }),
  );
});

test("property: addresses, their quotes and comments closed or not", () => {
  const units = unitsOf(
    '"',
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "@",
    ",",
    ":",
    ";",
    ".",
    "\\",
    " ",
    "a",
    "=?utf-8?q?a?=",
    "=?x?q?",
  );
  fc.assert(
    fc.property(units, unitsOf('"', "(", "[", ")", "\\", "a"), (given, before) => {
      expectLinear((size) => parseAddressList(before.join("") + filled(given)(size)).steps);
    }),
  );
});

test("property: parameters, their segments, quotes and comments", () => {
  const units = unitsOf(";", "=", '"', "(", ")", "\\", " ", "a", ";a*0=b", ";a*1*=%41", "*", "'", "%");
  fc.assert(
    fc.property(units, unitsOf('"', "(", "a/b;c="), (given, before) => {
      expectLinear((size) => parseParameterized(before.join("") + filled(given)(size)).steps);
    }),
  );
});

test("property: a message of lines that are, or nearly are, delimiters, in chunks of any size", () => {
  const lines = unitsOf(
    "--",
    "--b\r\n",
    "--b",
    "--b--\r\n",
    "-",
    "\r\n",
    "\n",
    "\r",
    " ",
    "a",
    "a: b\r\n",
    "Content-Type: multipart/mixed; boundary=b\r\n\r\n",
  );
  fc.assert(
    fc.property(lines, fc.constantFrom(1, 2, 3, 7, 100, 5_000), (given, chunkBytes) => {
      expectLinear((size) => {
        const message = Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${filled(given)(size)}`);
        const parser = new MimeParser({ entities: 1_000, depth: 20, headerBytes: 64 * 1024 });
        for (let at = 0; at < message.length; at += chunkBytes) parser.write(message.subarray(at, at + chunkBytes));
        parser.end();
        return parser.examinedBytes;
      });
    }),
    { numRuns: 100 },
  );
});
