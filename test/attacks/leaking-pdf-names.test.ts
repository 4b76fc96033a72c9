import { expect, test } from "@jest/globals";
import { compose } from "../../services/forwarder/test-support/answer.ts";
import { withAttached } from "../../services/forwarder/test-support/attached.ts";
import { deflated, pdf } from "../../services/forwarder/test-support/pdf-file.ts";

// The real address leaves in a PDF file whose fonts have no table of their characters, and say by names which glyphs they have (ISO 32000-1
// section 9.6.6.2): what TeX writes has "fi" and "ffl" at places that ASCII has nothing at, other programs have all letters at such ones.

const contact = "ann@shop.example";

/** As TeX writes it: letters in ASCII, ligatures at places of their own. @param font beside its type */
function ligatures(address: string, font: string, ...objects: readonly string[]): Buffer {
  const text = address.replace("ffi", "\\036").replace("fl", "\\035");
  return pdf(
    "3 0 obj <</Type/Page/Resources<</Font<</F8 5 0 R/F9 9 0 R>>>>/Contents 4 0 R>> endobj\n",
    ...deflated(4, "", `BT /F9 9 Tf (Write) Tj /F8 9 Tf [(${text.slice(0, 5)})-20(${text.slice(5)})] TJ ET`),
    `5 0 obj <</Type/Font/Subtype/Type1/BaseFont/ABCDEF+CMR10 ${font}>> endobj\n`,
    ...objects,
  );
}

const names = "/Differences[27/ff/fi/fl/ffi 46/period 64/at 65/A]";
/** Numbers of the glyphs in a part of a font, and their names. */
function named(address: string): Buffer {
  const letters = [...new Set(address)];
  const known: Readonly<Record<string, string>> = { "@": "/at", ".": "/period.alt", "-": "/uni002D" };
  const differences = letters.map((letter) => known[letter] ?? `/${letter}`).join("");
  const codes = [...address].map((letter) => (letters.indexOf(letter) + 1).toString(16).padStart(2, "0")).join("");
  return pdf(
    "3 0 obj <</Type/Page/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>> endobj\n",
    ...deflated(4, "", `BT /F1 9 Tf <${codes}> Tj ET`),
    `5 0 obj <</Type/Font/Subtype/Type1/Encoding<</Type/Encoding/Differences[0/.notdef ${differences}]>>>> endobj\n`,
  );
}

test.each([
  ["beside the font", (address: string) => ligatures(address, `/Encoding<<${names}>>`)],
  ["in an object", (address: string) => ligatures(address, "/Encoding 6 0 R", `6 0 obj <<${names}>> endobj\n`)],
  ["of all glyphs", named],
])("PDF in a font that says its characters by names %s: held where it names the real address", async (_name, write) => {
  const real = "office-flo@home.example";
  const leaks = async (address: string) =>
    (await compose(withAttached("application/pdf", write(address)), { realAddresses: [real] })).leaks;
  expect(await leaks(real)).toEqual(["in an attachment"]);
  expect(await leaks(contact)).toEqual([]);
});

test("fonts of one name that have the characters of ASCII where ASCII does are read once", async () => {
  const fonts = Array.from({ length: 300 }, (_, at) => 100 + at);
  const file = pdf(
    ...deflated(4, "", `BT /F1 9 Tf ${`(${"x".repeat(60)}) Tj\n`.repeat(40_000)} ET`),
    ...fonts.map((font) => `${font + 1_000} 0 obj <</Type/Page/Resources<</Font<</F1 ${font} 0 R>>>>>> endobj\n`),
    ...fonts.map(
      (font) => `${font} 0 obj <</Type/Font/Subtype/Type3/Encoding<</Differences[46/period 64/at/A/B]>>>> endobj\n`,
    ),
  );
  expect((await compose(withAttached("application/pdf", file))).leaks).toEqual([]);
});

test.each([
  ["that do not end", "[27/a"],
  ["without numbers", "[/a/b"],
  ["of numbers alone", "[27 28 "],
])("names of characters %s are read in a time that goes with their length", async (_name, unit) => {
  const file = ligatures(contact, `/Encoding<</Differences ${unit.repeat(300_000)}`);
  expect((await compose(withAttached("application/pdf", file))).leaks).toEqual([]);
});
