import { deflateSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { zipFile } from "../../test-support/zip-file.ts";
import { type PackedContent, packedContents } from "./packed-contents.ts";

async function contentsOf(bytes: Buffer): Promise<PackedContent[]> {
  const contents: PackedContent[] = [];
  for await (const content of packedContents(bytes)) contents.push(content);
  return contents;
}
const textsOf = async (bytes: Buffer) =>
  (await contentsOf(bytes)).map((content) => content.bytes.toString()).filter((text) => text !== "");

const zip = (content: Buffer, method?: 0 | 8) => zipFile([{ name: "a.xml", content, method }]);

test("the entries of a ZIP file, stored and deflated, and the text of markup by itself", async () => {
  expect(await textsOf(zip(Buffer.from("plain"), 0))).toEqual(["plain"]);
  const xml = "<w:t>olive</w:t><w:t>@home.example</w:t>";
  expect(await textsOf(zip(Buffer.from(xml)))).toEqual([xml, "olive@home.example"]);
});

const pdfOf = (...objects: [dictionary: string, content: Buffer][]) =>
  Buffer.concat([
    Buffer.from("%PDF-1.7\n"),
    ...objects.flatMap(([dictionary, content]) => [
      Buffer.from(`1 0 obj\n<< ${dictionary} >>\nstream\r\n`),
      content,
      Buffer.from("\nendstream\nendobj\n"),
    ]),
  ]);

test("the streams of a PDF file, pictures last", async () => {
  const pdf = pdfOf(
    ["/Subtype /Image", deflateSync("picture")],
    ["/Length 1", deflateSync("one")],
    ["/Length 1", Buffer.from("not deflated")],
    ["/Length 1", deflateSync("two")],
  );
  expect(await textsOf(pdf)).toEqual(["one", "two", "picture"]);
});

const mib = 1024 * 1024;

test("no more is unpacked than 4 MiB, and it is said where more is packed", async () => {
  for (const method of [0, 8] as const) {
    const [content, ...others] = await contentsOf(zip(Buffer.alloc(64 * mib), method));
    expect([content?.bytes.length, content?.isWhole, others]).toEqual([4 * mib, false, []]);
    expect(await contentsOf(zip(Buffer.alloc(4 * mib), method))).toMatchObject([{ isWhole: true }]);
  }
  const entries = Array.from({ length: 2_001 }, () => ({ name: "a", content: Buffer.from("x"), method: 0 as const }));
  expect((await contentsOf(zipFile(entries))).at(-1)).toMatchObject({ bytes: Buffer.alloc(0), isWhole: false });
});

test("large pictures take no room from what comes after them", async () => {
  const picture = { name: "media/a.png", content: Buffer.alloc(5 * mib) };
  const contents = await contentsOf(zipFile([picture, { name: "document.xml", content: Buffer.from("text") }]));
  expect(contents[0]?.bytes.toString()).toBe("text");
  expect(contents.every(({ isWhole }) => isWhole)).toBe(true);
});

test("nothing of what is broken or something else", async () => {
  const broken = zip(Buffer.from("x".repeat(100)));
  broken.fill(0xff, 35, 39);
  expect(await textsOf(broken)).toEqual([]);
  expect(await textsOf(Buffer.from("PK\u0003\u0004"))).toEqual([]);
  expect(await textsOf(Buffer.from("text"))).toEqual([]);
});

test("it is said what is encrypted, and what is compressed in another way is not searched whole", async () => {
  const content = Buffer.from("text");
  const files: [Buffer, object][] = [
    [zipFile([{ name: "a.txt", content, isEncrypted: true }]), { isEncrypted: true }],
    [zipFile([{ name: "a.txt", content, method: 14 }]), { isEncrypted: false, isWhole: false }],
    [zipFile([{ name: "a.png", content, method: 14 }]), { isWhole: true }],
    [
      Buffer.concat([pdfOf(["/Length 1", content]), Buffer.from("trailer << /Encrypt 7 0 R >>")]),
      { isEncrypted: true },
    ],
    [
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
      { isEncrypted: true },
    ],
  ];
  for (const [file, expected] of files) expect((await contentsOf(file))[0]).toMatchObject(expected);
});
