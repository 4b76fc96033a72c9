import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { addressKey, envelopeAddress, parseEmailAddress, readRecipient } from "./email-address.ts";
import { localPartKey } from "./local-part.ts";

test("shows the spelling given, and compares without case, normalisation and the domain's writing", () => {
  const { emailAddress } = parseEmailAddress("Bäcker.Lee@BÜCHER.example");
  expect(emailAddress).toEqual({
    spelling: "Bäcker.Lee@BÜCHER.example",
    localPart: "Bäcker.Lee",
    domain: "xn--bcher-kva.example",
    key: "bäcker.lee@xn--bcher-kva.example",
  });
  expect(parseEmailAddress("ba\u0308cker.lee@xn--bcher-kva.EXAMPLE").emailAddress?.key).toBe(emailAddress?.key);
});

test.each([
  "a@b.example",
  "first.last+tag@example.com",
  "!#$%&'*+/=?^_`{|}~-@example.com",
  "用户@例え.jp",
  "δοκιμή@παράδειγμα.gr",
  `${"a".repeat(64)}@example.com`,
  "x@a.b.c.d.e.example",
  "x@1and1.example",
  "x@postern.localhost",
])("takes %s", (address) => {
  expect(parseEmailAddress(address).fault).toBeUndefined();
});

test.each([
  ["nothing", ""],
  ["no @", "example.com"],
  ["no local part", "@example.com"],
  ["no domain", "a@"],
  ["two @", "a@b@example.com"],
  ["a dot at the beginning", ".a@example.com"],
  ["two dots", "a..b@example.com"],
  ["a dot at the end", "a.@example.com"],
  ["a quoted local part", '"a b"@example.com'],
  ["a display name", "A <a@example.com>"],
  ["brackets", "<a@example.com>"],
  ["a space before", " a@example.com"],
  ["a line end behind", "a@example.com\n"],
  ["a header", "a@example.com\r\nBcc: b@example.com"],
  ["a header before the @", "a\r\nBcc: b@example.com"],
  ["a NUL", "a\0b@example.com"],
  ["an unpaired surrogate", "a\ud800@example.com"],
  ["an unpaired surrogate in the domain", "a@ex\udc00ample.com"],
  ["a zero-width space", "a\u200bb@example.com"],
  ["a right-to-left override", "a\u202eb@example.com"],
  ["a soft hyphen in the domain", "a@ex\u00adample.com"],
  ["a percent sign in the domain", "a@%65xample.com"],
  ["an underscore in the domain", "a@ex_ample.com"],
  ["a hyphen at a label's end", "a@example-.com"],
  ["one label", "a@localhost"],
  ["an address literal", "a@[192.0.2.1]"],
  ["an IPv4 address", "a@192.0.2.1"],
  ["an IPv4 address in hexadecimal", "a@0x7f.1"],
  ["a dot at the domain's end", "a@example.com."],
  ["65 octets before the @", `${"a".repeat(65)}@example.com`],
  ["65 octets in fewer characters", `${"ä".repeat(33)}@example.com`],
  ["a label of 64", `a@${"b".repeat(64)}.com`],
  ["10,000 characters", `${"a".repeat(9_988)}@example.com`],
  ["255 octets", `a@${"b".repeat(61)}.${"c".repeat(61)}.${"d".repeat(61)}.${"e".repeat(61)}.fghij`],
])("refuses %s", (_, address) => {
  expect(parseEmailAddress(address).fault).toEqual(expect.any(String));
});

test("an envelope has the domain in A-labels, and leaves the local part as it is", () => {
  const envelope = (address: string) => {
    const { emailAddress } = parseEmailAddress(address);
    return emailAddress && envelopeAddress(emailAddress);
  };
  expect(envelope("Info@例え.jp")).toBe("Info@xn--r8jz45g.jp");
  expect(envelope("用户@例え.jp")).toBe("用户@xn--r8jz45g.jp");
  expect(envelope("Info@Example.COM")).toBe("Info@Example.COM");
});

test("a recipient may be quoted without need", () => {
  expect(readRecipient('"alice"@example.com').emailAddress?.key).toBe("alice@example.com");
  expect(readRecipient('"al\\ice"@example.com').emailAddress?.key).toBe("alice@example.com");
  expect(readRecipient('"al ice"@example.com').fault).toBeDefined();
  expect(parseEmailAddress('"alice"@example.com').fault).toBeDefined();
});

const address = fc
  .emailAddress({ size: "small" })
  .filter((given) => parseEmailAddress(given).emailAddress !== undefined);

test("property: ordinary addresses are taken, and any letter case gives the same key", () => {
  fc.assert(
    fc.property(address, (given) => {
      const key = parseEmailAddress(given).emailAddress?.key;
      expect(parseEmailAddress(given.toUpperCase()).emailAddress?.key).toBe(key);
      expect(parseEmailAddress(given.toLowerCase()).emailAddress?.key).toBe(key);
    }),
  );
});

test("property: whatever is given, what is taken can stand in a header and in SQL, and its key reads as itself", () => {
  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'\r\n\0\t "<>@.,;:\\()+a\ud800\udfff\u200b'),
      fc.string({ unit: "binary", maxLength: 1, minLength: 1 }),
    ),
  });
  const given = fc.oneof(
    hostile,
    fc.tuple(hostile, fc.constantFrom("@example.com", "@例え.jp")).map((parts) => parts.join("")),
    fc.tuple(fc.constant("a@"), hostile).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(given, (text) => {
      const { emailAddress, fault } = parseEmailAddress(text);
      if (!emailAddress) return expect(fault).toEqual(expect.any(String));
      expect(emailAddress.spelling).toBe(text);
      expect(text).not.toMatch(/[\p{Cc}\p{Cs}\p{Cf}\s<>",;:()[\]\\]/u);
      expect(addressKey(localPartKey(emailAddress.localPart), emailAddress.domain)).toBe(emailAddress.key);
    }),
    { numRuns: 2_000 },
  );
});
