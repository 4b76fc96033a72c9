import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { cutToJsonBytes, jsonBytes } from "./json-size.ts";

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
const inJson = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

test("a text is measured as JSON writes it", () => {
  fc.assert(fc.property(fc.oneof(anyText, fc.string({ unit: "binary" })), (text) => jsonBytes(text) === inJson(text)));
});

test("a text is cut to what fits, and no shorter", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 40 }), (text, limit) => {
      const cut = cutToJsonBytes(text, limit);
      expect(text.startsWith(cut)).toBe(true);
      expect(inJson(cut)).toBeLessThanOrEqual(limit);
      const [next = ""] = text.slice(cut.length);
      if (next !== "") expect(inJson(cut + next)).toBeGreaterThan(limit);
    }),
  );
});
