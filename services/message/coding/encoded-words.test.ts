import { expect, test } from "@jest/globals";
import fc from "fast-check";
import libmime from "libmime";
import { decodeEncodedWords } from "./encoded-words.ts";

test.each([
  ["plain", "plain"],
  ["=?utf-8?q?a=C3=A4_b?=", "aä b"],
  ["=?UTF-8?B?w6Q=?=", "ä"],
  ["=?utf-8*de?Q?a?= b", "a b"],
  ["a =?utf-8?q?b?= c", "a b c"],
  ["=?utf-8?q?a?= \t=?utf-8?q?b?=", "ab"],
  ["=?utf-8?q?a?= =?iso-8859-1?q?=E4?=", "aä"],
  ["a character over two words: =?utf-8?Q?=E2=82?= =?utf-8?Q?=AC?=", "a character over two words: €"],
  ["one over B and Q: =?utf-8?B?4oI=?= =?utf-8?Q?=AC?=", "one over B and Q: €"],
  ["base64 over two words: =?utf-8?B?w6?= =?utf-8?B?TDtg==?=", "base64 over two words: äö"],
  ["next to text: x=?utf-8?q?y?=z", "next to text: xyz"],
  ['in quotes: "=?utf-8?q?y?="', 'in quotes: "y"'],
  ["blanks in it: =?utf-8?q?a b?=", "blanks in it: a b"],
  ["a question: =?utf-8?q?really??=", "a question: really?"],
  ["without its end: =?utf-8?q?a", "without its end: =?utf-8?q?a"],
  ["one of them: =?utf-8?q?a =?utf-8?q?b?=", "one of them: =?utf-8?q?a b"],
  ["nothing in it: =?utf-8?q??=", "nothing in it: "],
  ["no charset: =??q?a?=", "no charset: =??q?a?="],
  ["another encoding: =?utf-8?x?a?=", "another encoding: =?utf-8?x?a?="],
  ["an unknown charset: =?x-none?q?a?= b", "an unknown charset: =?x-none?q?a?= b"],
  ["no escape: =?utf-8?q?a=zz=4?=", "no escape: a=zz=4"],
  ["raw letters: =?utf-8?q?ä?=", "raw letters: ä"],
  ["UTF-7: =?utf-7?q?+AOQ-?=", "UTF-7: ä"],
  ["line ends: =?utf-8?q?a=0D=0ABcc:_b?=\r\nc", "line ends: a Bcc: b c"],
])("%j is %j", (body, text) => {
  expect(decodeEncodedWords(body)).toBe(text);
});

test("property: a text that libmime encodes comes out as it was, and libmime agrees", () => {
  const text = fc.string({ unit: fc.constantFrom(..."abc äöß日本💩?=_"), minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(
      text,
      fc.constantFrom("Q" as const, "B" as const),
      fc.constantFrom(0, 40, 60),
      (given, encoding, length) => {
        const encoded = libmime.encodeWord(given, encoding, length);
        expect(decodeEncodedWords(encoded)).toBe(given);
        expect(libmime.decodeWords(encoded)).toBe(given);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("property: whatever the text, it holds no line end, and what is no word stays", () => {
  const piece = fc.constantFrom("=?", "?=", "utf-8", "?q?", "?B?", "=0D=0A", "DQo=", " ", "a", "\r\n", "=", "?");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const decoded = decodeEncodedWords(pieces.join(""));
      expect(decoded).not.toMatch(/[\r\n]/);
      if (!pieces.includes("?q?") && !pieces.includes("?B?"))
        expect(decoded).toBe(pieces.join("").replaceAll(/[\r\n]+/g, " "));
    }),
    { numRuns: 2_000 },
  );
});
