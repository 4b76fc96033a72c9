import { expect, test } from "@jest/globals";
import { compose, realAddress } from "../../services/forwarder/test-support/answer.ts";
import { withAttached } from "../../services/forwarder/test-support/attached.ts";
import { deflated, pdf } from "../../services/forwarder/test-support/pdf-file.ts";

// The real address leaves in a PDF file, such as a letter with it in its head, that a program exported with a part of a font: its text is
// in numbers of glyphs, and a table beside the font says for which characters they stand (ISO 32000-1 section 9.10.3).

const contact = "ann@shop.example";

/** A table, and what a text is in its codes, in hexadecimal. */
interface Glyphs {
  readonly cmap: string;
  codesOf(text: string): string;
}

const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase();
const hex = (code: number, width: number) => code.toString(16).padStart(width * 2, "0");

/** As the programs number them: in the order in which a text uses them. */
function glyphsOf(text: string, width: 1 | 2, write = bfchar): Glyphs {
  const letters = [...new Set(text)];
  const codeOf = (letter: string) => hex(letters.indexOf(letter) + 3, width);
  return {
    cmap: [
      ...["/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def"],
      ...["1 begincodespacerange", `<${"00".repeat(width)}> <${"ff".repeat(width)}>`, "endcodespacerange"],
      ...[write(letters, codeOf), "endcmap end end"],
    ].join("\n"),
    codesOf: (shown) => [...shown].map(codeOf).join(""),
  };
}

function bfchar(letters: readonly string[], codeOf: (letter: string) => string): string {
  const rows = letters.map((letter) => `<${codeOf(letter)}> <${utf16(letter)}>`);
  return [`${rows.length} beginbfchar`, ...rows, "endbfchar"].join("\n");
}

function bfranges(letters: readonly string[], codeOf: (letter: string) => string): string {
  const [first = "", ...others] = letters;
  const list = others.map((letter) => `<${utf16(letter)}>`).join("");
  const [from, to] = [codeOf(others[0] ?? ""), codeOf(others.at(-1) ?? "")];
  return [
    "2 beginbfrange",
    `<${codeOf(first)}><${codeOf(first)}><${utf16(first)}>`,
    `<${from}> <${to}> [${list}]`,
    "endbfrange",
  ].join("\n");
}

/** A page of LibreOffice: octets that number glyphs, letters moved closer together. */
function writer(address: string): Buffer {
  const { cmap, codesOf } = glyphsOf(`${address} My address:`, 1);
  const [before, after] = [codesOf(address.slice(0, 3)), codesOf(address.slice(3))];
  return pdf(
    ...deflated(
      2,
      "",
      `0.1 w\nq 0 0.028 595 841 re\nW* n\nBT\n56 773 Td /F1 12 Tf[<${before}>-1<${after}>]TJ\nET\nQ\n`,
    ),
    ...deflated(7, "", cmap),
    "8 0 obj\n<</Type/Font/Subtype/TrueType/BaseFont/BAAAAA+LiberationSerif/FirstChar 0/LastChar 2\n/ToUnicode 7 0 R>>\nendobj\n",
    "9 0 obj\n<</F1 8 0 R\n>>\nendobj\n10 0 obj\n<</Font 9 0 R/ProcSet[/PDF/Text]>>\nendobj\n",
    "1 0 obj\n<</Type/Page/Parent 4 0 R/Resources 10 0 R/Contents 2 0 R>>\nendobj\n",
  );
}

const type0 =
  "/Type/Font/Subtype/Type0/BaseFont/BCDEEE+Calibri/Encoding/Identity-H/DescendantFonts 6 0 R/ToUnicode 27 0 R";
const page =
  "3 0 obj\r\n<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 5 0 R/F2 9 0 R>>>>/Contents 4 0 R>>\r\nendobj\r\n";
const plain =
  "9 0 obj\r\n<</Type/Font/Subtype/TrueType/Name/F2/BaseFont/Arial/Encoding/WinAnsiEncoding>>\r\nendobj\r\n";

/** A page of Word: numbers of two octets, some of the text in another font. */
function word(address: string, write = bfchar): Buffer {
  const { cmap, codesOf } = glyphsOf(address, 2, write);
  const text = `/P <</MCID 0>> BDC q\r\nBT\r\n/F1 11.04 Tf\r\n1 0 0 1 72 709 Tm\r\n0 g\r\n[<${codesOf(address.slice(0, 5))}>] TJ\r\nET\r\nQ\r\nq\r\nBT\r\n/F2 11.04 Tf\r\n(${address[5]}) Tj\r\n/F1 11.04 Tf\r\n[<${codesOf(address.slice(6))}>] TJ\r\nET\r\nQ EMC`;
  return pdf(page, ...deflated(4, "", text), `5 0 obj\r\n<<${type0}>>\r\nendobj\r\n`, plain, ...deflated(27, "", cmap));
}

/** Its numbers as a literal string with escapes, and the table written out. */
function literal(address: string): Buffer {
  const { cmap, codesOf } = glyphsOf(address, 2);
  const octets = (codesOf(address).match(/../g) ?? []).map(
    (each) => `\\${Number.parseInt(each, 16).toString(8).padStart(3, "0")}`,
  );
  return pdf(
    page,
    ...deflated(4, "", `BT /F1 9 Tf (${octets.join("")}) Tj ET`),
    `5 0 obj <<${type0}>> endobj\n27 0 obj <</Length ${cmap.length}>>\nstream\n${cmap}\nendstream\nendobj\n`,
  );
}

/** What is no stream is in one itself (section 7.5.7). */
function objectStream(address: string): Buffer {
  const { cmap, codesOf } = glyphsOf(address, 2);
  const objects = [`<<${type0}>>`, "<</Type/Page/Resources<</Font<</TT1 5 0 R>>>>/Contents 4 0 R>>"];
  const numbers = `5 0 3 ${(objects[0] ?? "").length + 1} `;
  return pdf(
    ...deflated(11, `/Type/ObjStm/N 2/First ${numbers.length}`, numbers + objects.join(" ")),
    ...deflated(4, "", `BT /TT1 1 Tf <${codesOf(address)}> Tj ET`),
    ...deflated(27, "", cmap),
  );
}

/** Two pages that call a font of their own the same. */
function sameNames(address: string): Buffer {
  const [first, second] = [glyphsOf("nothing to see", 2), glyphsOf(address, 2)];
  const font = (table: number) => type0.replace("27", String(table));
  return pdf(
    ...deflated(4, "", `BT /TT1 1 Tf <${first.codesOf("nothing to see")}> Tj ET`),
    ...deflated(14, "", `BT /TT1 1 Tf <${second.codesOf(address)}> Tj ET`),
    `3 0 obj <</Type/Page/Resources<</Font<</TT1 5 0 R>>>>/Contents 4 0 R>> endobj 5 0 obj <<${font(27)}>> endobj\n`,
    `13 0 obj <</Type/Page/Resources<</Font<</TT1 15 0 R>>>>/Contents 14 0 R>> endobj 15 0 obj <<${font(28)}>> endobj\n`,
    ...deflated(27, "", first.cmap),
    ...deflated(28, "", second.cmap),
  );
}

/** A glyph for two letters, and one that stands in the text before the graphics state is restored. */
function restored(address: string): Buffer {
  const { cmap, codesOf } = glyphsOf(address, 2);
  return pdf(
    page,
    ...deflated(4, "", `/F1 9 Tf q BT /F2 9 Tf (x) Tj ET Q BT <${codesOf(address)}> Tj ET`),
    `5 0 obj <<${type0}>> endobj\n`,
    plain,
    ...deflated(27, "", cmap),
  );
}

test.each([
  ["as LibreOffice writes it", writer],
  ["as Word writes it", word],
  ["with ranges of glyphs", (address: string) => word(address, bfranges)],
  ["with literal strings", literal],
  ["with its fonts in a stream of objects", objectStream],
  ["where two pages call their fonts the same", sameNames],
  ["in a font that was saved", restored],
  [
    "with metadata",
    (address: string) =>
      pdf(
        ...deflated(
          1,
          "/Type/Metadata/Subtype/XML",
          `<x:xmpmeta><dc:creator><rdf:li>${address}</rdf:li></dc:creator></x:xmpmeta>`,
        ),
      ),
  ],
  [
    "with a link",
    (address: string) =>
      pdf(`1 0 obj<</Type/Annot/Subtype/Link/A<</S/URI/URI(mailto:${address.replace("@", "%40")})>>>>endobj\n`),
  ],
])("PDF %s: held where it names the real address, sent where it names the contact", async (_name, write) => {
  expect((await compose(withAttached("application/pdf", write(realAddress)))).leaks).toEqual(["in an attachment"]);
  expect((await compose(withAttached("application/pdf", write(contact)))).leaks).toEqual([]);
});

/** Some programs say of each font that its codes are those of Unicode, all of them at once. */
function identity(address: string): Buffer {
  const fonts = ["F1", "F2", "F3", "F4", "F5", "F6"];
  const range = "1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange";
  const resources = fonts.map((name, at) => `/${name} ${50 + at} 0 R`).join(" ");
  return pdf(
    `3 0 obj <</Type/Page/Resources<</Font<<${resources}>>>>/Contents 4 0 R>> endobj\n`,
    ...deflated(4, "", `BT /F6 9 Tf <${utf16(address.slice(0, 4))}> Tj /F2 9 Tf <${utf16(address.slice(4))}> Tj ET`),
    ...fonts.flatMap((_, at) => [
      `${50 + at} 0 obj <<${type0.replace("27", String(70 + at))}>> endobj\n`,
      ...deflated(70 + at, "", range),
    ]),
  );
}

test("tables that are all of Unicode are no reason to hold an answer", async () => {
  expect((await compose(withAttached("application/pdf", identity(realAddress)))).leaks).toEqual(["in an attachment"]);
  expect((await compose(withAttached("application/pdf", identity(contact)))).leaks).toEqual([]);
});

test("of more tables than any text needs no more is worked out than there is room for, and the answer is held", async () => {
  const range = "1 beginbfrange <0000> <ffff> <0041> endbfrange\n";
  const file = pdf(
    page,
    ...deflated(4, "", "BT /F1 9 Tf <0001> Tj ET"),
    `5 0 obj <<${type0}>> endobj\n`,
    ...deflated(27, "", range.repeat(20_000)),
  );
  expect((await compose(withAttached("application/pdf", file))).leaks).toEqual([
    "in an attachment, which has more packed in it than is searched",
  ]);
});

test("PDF whose text is in a font without a table, or names its table wrongly, is sent", async () => {
  const text = deflated(4, "", "BT /F1 9 Tf <00010002> Tj ET");
  for (const font of [type0.replace("/ToUnicode 27 0 R", ""), type0])
    expect(
      (await compose(withAttached("application/pdf", pdf(page, ...text, `5 0 obj <<${font}>> endobj\n`)))).leaks,
    ).toEqual([]);
});

test.each([
  ["sections that do not end", "beginbfchar <01> "],
  ["lists that do not end", "<0001> <0002> [ "],
  ["codes without characters", "<0001>   "],
])("a table of %s is read in a time that goes with its length", async (_name, unit) => {
  const table = `beginbfrange ${unit.repeat((2 * 1024 * 1024) / unit.length)} endbfrange`;
  const file = pdf(
    page,
    ...deflated(4, "", "BT /F1 9 Tf <0001> Tj ET"),
    `5 0 obj <<${type0}>> endobj\n`,
    ...deflated(27, "", table),
  );
  expect((await compose(withAttached("application/pdf", file))).leaks).toEqual([]);
});
