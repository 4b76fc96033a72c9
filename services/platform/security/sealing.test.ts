import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { Sealer } from "./sealing.ts";
import { Secrets } from "./secrets.ts";

const sealer = new Sealer(new Secrets("the current key"), "test");

test("any text opens where it was sealed, and nowhere else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), fc.string(), (text, place, other) => {
      const sealed = sealer.seal(text, place);
      expect(sealer.open(sealed, place)).toBe(text);
      if (other !== place) expect(() => sealer.open(sealed, other)).toThrow();
    }),
  );
});

test("no change of a byte goes unseen", () => {
  const sealed = sealer.seal("a secret", "row 1");
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ change, at);
      expect(() => sealer.open(changed, "row 1")).toThrow();
    }),
  );
});

test("what the previous SECRET_KEY sealed still opens, and is told apart by its mark", () => {
  const former = new Sealer(new Secrets("the former key"), "test");
  const rotated = new Sealer(new Secrets("the current key", "the former key"), "test");
  const sealed = former.seal("a secret", "row 1");
  expect(rotated.open(sealed, "row 1")).toBe("a secret");
  expect(rotated.previousKeyMark).toEqual(sealed.subarray(0, 5));
  expect(rotated.seal("a secret", "row 1").subarray(0, 5)).not.toEqual(rotated.previousKeyMark);
});

test("a key that is not there is asked for by name", () => {
  const elsewhere = new Sealer(new Secrets("another key"), "test");
  expect(() => sealer.open(elsewhere.seal("a secret", "row 1"), "row 1")).toThrow("SECRET_KEY_PREVIOUS");
});
