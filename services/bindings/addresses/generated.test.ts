import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseEmailAddress } from "./email-address.ts";
import { generateLocalPart } from "./generated.ts";
import { ReservedNames } from "./reserved-names.ts";

test("the examples of the paper", () => {
  expect(generateLocalPart(Buffer.from([127, 0, 0, 1]))).toBe("lusab-babad");
  expect(generateLocalPart(Buffer.from([63, 84, 220, 193]))).toBe("gutih-tugad");
});

test("are 64 bits of what nobody can guess", () => {
  const generated = new Set(Array.from({ length: 1_000 }, () => generateLocalPart()));
  expect(generated.size).toBe(1_000);
  for (const localPart of generated)
    expect(localPart).toMatch(/^(?:[bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz](?:-[a-z]{5}){3}$/);
});

const reservedNames = new ReservedNames("postern");

test("property: different bits give different addresses, which are valid and not reserved", () => {
  const bits = fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(bits, bits, (one, other) => {
      const [first, second] = [generateLocalPart(one), generateLocalPart(other)];
      expect(first === second).toBe(one.equals(other));
      expect(parseEmailAddress(`${first}@postern.localhost`).fault).toBeUndefined();
      expect(reservedNames.has(first)).toBe(false);
    }),
  );
});
