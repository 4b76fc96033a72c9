import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { Secrets } from "./secrets.ts";

const current = new Secrets("current");
const rotated = new Secrets("next", "current");

test("what the previous key signed verifies while it is rotated, and no longer", () => {
  const signature = current.sign("link", "text");
  expect(rotated.verify("link", "text", signature)).toBe(true);
  expect(new Secrets("next").verify("link", "text", signature)).toBe(false);
  expect(rotated.sign("link", "text")).not.toBe(signature);
});

test("a signature is good for its purpose and text alone", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (purpose, text, other) => {
      const signature = current.sign(purpose, text);
      fc.pre(other !== text && other !== purpose);
      return (
        current.verify(purpose, text, signature) &&
        !current.verify(purpose, other, signature) &&
        !current.verify(other, text, signature)
      );
    }),
  );
});

test.each(["", "x", "=", "a".repeat(43), "a".repeat(44)])("%j is no signature", (forged) => {
  expect(current.verify("link", "text", forged)).toBe(false);
});
