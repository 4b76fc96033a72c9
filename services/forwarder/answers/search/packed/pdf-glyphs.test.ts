import { expect, test } from "@jest/globals";
import { glyphTexts } from "./pdf-glyphs.ts";

test("contents that show little are not read again for each of many fonts of one name: then not all is said to be read", async () => {
  const fonts = Array.from({ length: 500 }, (_, at) => {
    const [font, table, page] = [3 * at + 1, 3 * at + 2, 3 * at + 3];
    return `${font} 0 obj\n<</Type/Font/ToUnicode ${table} 0 R>>\nendobj\n${page} 0 obj\n<</Font<</F1 ${font} 0 R>>>>\nendobj\n`;
  });
  const tables = Array.from({ length: 500 }, (_, at) => ({
    bytes: Buffer.from("1 beginbfchar\n<03> <0041>\nendbfchar"),
    dictionary: `${3 * at + 2} 0 obj\n<<>>`,
  }));
  const content = {
    bytes: Buffer.from(`BT /F1 12 Tf (\x03) Tj ${"0 0 m ".repeat(1_000_000)} ET`),
    dictionary: "9000 0 obj\n<<>>",
  };
  const readings: { text: string; isWhole: boolean }[] = [];
  for await (const { text, isWhole } of glyphTexts([{ bytes: Buffer.from(fonts.join("")) }, ...tables, content]))
    readings.push({ text: text.toString().trim(), isWhole });
  expect(readings.length).toBeLessThan(20);
  expect(readings[0]).toEqual({ text: "A", isWhole: true });
  expect(readings.at(-1)).toEqual({ text: "A", isWhole: false });
});
