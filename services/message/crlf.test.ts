import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { hasOnlyCrlf } from "./crlf.ts";

const piece = fc.constantFrom(
  "\r\n",
  "\r\n",
  "\r",
  "\n",
  "\0",
  "\t",
  "\x0c",
  "\x0e",
  "\x8a",
  "\x8d",
  "\xff",
  "plain text",
);

test("says of any chunk, wherever it stands in memory, whether CR and LF come in pairs alone", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.nat(7),
      fc.constantFrom("a", "\n", "\r"),
      (pieces, offset, before) => {
        const chunk = Buffer.from(`${"\n".repeat(offset)}${pieces.join("")}`, "latin1").subarray(offset);
        const text = before + chunk.toString("latin1");
        const isPaired = [...chunk.keys()].every((at) => (text[at + 1] === "\n") === (text[at] === "\r"));
        expect(hasOnlyCrlf(chunk, before.charCodeAt(0))).toBe(isPaired);
      },
    ),
    { numRuns: 5_000 },
  );
});
