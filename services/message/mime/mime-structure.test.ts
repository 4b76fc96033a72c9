import { expect, test } from "@jest/globals";
import fc, { type Arbitrary } from "fast-check";
import { leaves, lines, mixed, parse } from "../test-support/parsed-message.ts";

/** A message as a tree, and the text that it is written as. */
interface Written {
  text: string;
  leaves: string[];
}

const word = fc.stringMatching(/^[a-z]{1,5}$/);
const content = fc
  .array(fc.oneof(word, fc.constantFrom("", "--", "--x", " --b1", "--b1x", "-")), { maxLength: 4 })
  .map((parts) => parts.join("\r\n"));
const tree: Arbitrary<Written> = fc.letrec<{ entity: Written }>((tie) => ({
  entity: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    content.map((text) => ({ text: `Content-Type: text/plain\r\n\r\n${text}`, leaves: [text] })),
    fc
      .record({
        parts: fc.array(tie("entity"), { minLength: 1, maxLength: 3 }),
        boundary: fc.uuid(),
        padding: fc.constantFrom("", " ", "\t "),
        isClosed: fc.boolean(),
        preamble: content,
      })
      .map(({ parts, boundary, padding, isClosed, preamble }) => ({
        text: `${mixed(boundary)}\r\n\r\n${preamble}${parts.map(({ text }) => `\r\n--${boundary}${padding}\r\n${text}`).join("")}${isClosed ? `\r\n--${boundary}--${padding}\r\nepilogue` : ""}`,
        leaves: parts.flatMap((part) => part.leaves),
      })),
  ),
})).entity;

test("property: a message of any structure, its inner multiparts closed or not, is taken apart as it was put together", () => {
  fc.assert(
    fc.property(tree, fc.array(fc.nat(2_000), { maxLength: 20 }), ({ text, leaves: expected }, cuts) => {
      expect(leaves(parse(text, cuts).root).map(([, bytes]) => bytes)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("property: whatever the bytes, the cuts make no difference", () => {
  const line = fc.constantFrom(
    "--b",
    "--b--",
    "--b ",
    "--",
    "-",
    "",
    "x",
    mixed("b"),
    mixed("c"),
    "--c",
    "--c--",
    " ",
    "\r",
    "a: b",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.array(fc.nat(400), { maxLength: 30 }), (all, cuts) => {
      const message = lines(mixed("b"), "", ...all);
      expect(parse(message, cuts)).toEqual(parse(message));
    }),
    { numRuns: 2_000 },
  );
});
