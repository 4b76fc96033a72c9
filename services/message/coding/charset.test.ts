import { expect, test } from "@jest/globals";
import fc from "fast-check";
import iconv from "iconv-lite";
import { charsetDecoding, decodeCharset, textDecoding } from "./charset.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["utf-8", "\xc3\xa4", "ä"],
  ["UTF8", "\xc3\xa4", "ä"],
  ["us-ascii", "\xc3\xa4", "ä"],
  ["iso-8859-1", "\xe4", "ä"],
  ["windows-1252", "\x80", "€"],
  ["iso-2022-jp", "\x1b$BF|K\\\x1b(B", "日本"],
  ["gb2312", "\xc4\xe3", "你"],
  ["cp437", "\x84", "ä"],
  ["ibm850", "\x84", "ä"],
  ["cp932", "\x93\xfa", "日"],
  ["utf-16le", "a\0", "a"],
  ["utf-32le", "a\0\0\0", "a"],
  ["utf-7", "Gr+APwA3w-e +-1 +AGE b+", "Grüße +1 a b"],
  ["unicode-1-1-utf-7", "+2D3cqQ-", "💩"],
])("%s is read", (charset, bytes, text) => {
  expect(decodeCharset(latin1(bytes), charset)).toBe(text);
});

test.each(["x-none", "hex", "base64", "b-a-s-e-6-4", "utf7-imap", "constructor", "__proto__"])(
  "%s is no charset",
  (charset) => {
    expect(charsetDecoding(charset)).toBeUndefined();
  },
);

test("text in a charset that nobody knows, or none, is read as UTF-8", () => {
  for (const charset of [undefined, "", "x-none"]) {
    const decoding = textDecoding(charset);
    expect(decoding.write(latin1("\xc3")) + decoding.write(latin1("\xa4")) + decoding.end()).toBe("ä");
  }
});

test("property: a character may be parted between two pieces", () => {
  const charsets = ["utf-8", "utf-7", "utf-16le", "cp437", "iso-2022-jp", "shift_jis"];
  fc.assert(
    fc.property(
      fc.constantFrom(...charsets),
      fc.string({ unit: fc.constantFrom(..."ab+-ä日本💩 ") }),
      fc.nat(),
      (charset, text, seed) => {
        // What the charset has no place for stands as "?".
        const encodable = charset === "iso-2022-jp" ? text.replaceAll(/[^\x20-\x7e]/gu, "") : text;
        const bytes = charset === "iso-2022-jp" ? latin1(encodable) : iconv.encode(encodable, charset);
        const cut = bytes.length === 0 ? 0 : seed % bytes.length;
        const decoding = textDecoding(charset);
        const decoded = decoding.write(bytes.subarray(0, cut)) + decoding.write(bytes.subarray(cut)) + decoding.end();
        expect(decoded).toBe(decodeCharset(bytes, charset));
        if (charset.startsWith("utf")) expect(decoded).toBe(text);
      },
    ),
    { numRuns: 1_000 },
  );
});
