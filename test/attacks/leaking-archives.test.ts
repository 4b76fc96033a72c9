import { deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { packTar } from "modern-tar";
import { compose, lines, realAddress } from "../../services/forwarder/test-support/answer.ts";
import { withAttached } from "../../services/forwarder/test-support/attached.ts";
import { compressed, signedData } from "../../services/forwarder/test-support/cms.ts";
import { tnefFile } from "../../services/forwarder/test-support/tnef-file.ts";
import { zipFile } from "../../services/forwarder/test-support/zip-file.ts";

// The real address leaves with an answer in files within files, and in files that are called something else than they are.

const contact = "ann@shop.example";
const octets = "application/octet-stream";

const zip = (name: string, content: Buffer | string) => zipFile([{ name, content: Buffer.from(content) }]);
const docx = (address: string) => zip("word/document.xml", `<w:t>${address.replace("@", "</w:t><w:t>@")}</w:t>`);
const tar = async (name: string, body: Buffer) =>
  Buffer.from(await packTar([{ header: { name, size: body.length }, body }]));
const split = (address: string) => `<p>${address.replace("@", "<b>@</b>")}</p>`;
const html = (address: string) => lines("Content-Type: text/html", "", split(address), "");
const message = (address: string) =>
  lines(
    ...["From: x@shop.example", "MIME-Version: 1.0", "Content-Type: text/html", "Content-Transfer-Encoding: base64"],
    "",
    Buffer.from(split(address)).toString("base64"),
  );

function pdf(dictionary: string, stream: Buffer | string): Buffer {
  const before = `%PDF-1.7\n1 0 obj << ${dictionary} /Length ${stream.length} >>\nstream\n`;
  return Buffer.concat([
    Buffer.from(before),
    typeof stream === "string" ? Buffer.from(stream) : stream,
    Buffer.from("\nendstream endobj\n"),
  ]);
}

/** ISO 32000-1 section 7.4.3. */
function ascii85(bytes: Buffer): string {
  let encoded = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const group = Buffer.alloc(4);
    const count = bytes.copy(group, 0, at, at + 4);
    let [value, letters] = [group.readUInt32BE(), ""];
    for (let digit = 0; digit < 5; digit += 1) {
      letters = String.fromCharCode(0x21 + (value % 85)) + letters;
      value = Math.floor(value / 85);
    }
    encoded += letters.slice(0, count + 1);
  }
  return `${encoded}~>`;
}

const shown = (address: string) => deflateSync(`BT [(${address.slice(0, 4)}) -20 (${address.slice(4)})] TJ ET`);
const utf16 = (address: string) => Buffer.from(`\ufeff${address}`, "utf16le").swap16().toString("hex");

type Write = (address: string) => Buffer | Promise<Buffer>;
const files: readonly (readonly [name: string, type: string, write: Write])[] = [
  ["signed S/MIME called a file", `${octets}; name=smime.p7m`, (address) => signedData(html(address), 7)],
  ["compressed S/MIME called a file", `${octets}; name=smime.p7z`, (address) => compressed(html(address))],
  ["a signed document", `${octets}; name=a.docx.p7m`, (address) => signedData(docx(address), 7)],
  ["S/MIME in a ZIP file", "application/zip", (address) => zip("a.p7m", compressed(html(address)))],
  ["a message called a file", `${octets}; name=a.eml`, (address) => Buffer.from(message(address))],
  ["a message in a ZIP file", "application/zip", (address) => zip("a.eml", message(address))],
  ["a news article", "message/news", (address) => Buffer.from(html(address))],
  ["a ZIP file in one", "application/zip", (address) => zip("a.zip", zip("a.txt", address))],
  ["a ZIP file in two", "application/zip", (address) => zip("b.zip", zip("a.zip", zip("a.txt", address)))],
  ["a document in a ZIP file", "application/zip", (address) => zip("a.docx", docx(address))],
  ["a document in a document", `${octets}; name=a.docx`, (address) => zip("word/embeddings/a.docx", docx(address))],
  ["a document in tar", "application/x-tar", (address) => tar("a.docx", docx(address))],
  ["a document in tar and gzip", "application/gzip", async (address) => gzipSync(await tar("a.docx", docx(address)))],
  ["gzip in gzip", "application/gzip", (address) => gzipSync(gzipSync(address))],
  ["a document in winmail.dat", "application/ms-tnef", (address) => tnefFile(docx(address))],
  ["a document called a text", "text/plain; name=a.docx", docx],
  ["PDF with letters moved", "application/pdf", (address) => pdf("/Filter /FlateDecode", shown(address))],
  [
    "PDF with an escape",
    "application/pdf",
    (address) => pdf("/Filter/FlateDecode", deflateSync(`(${address.replace("@", "\\100")}) Tj`)),
  ],
  [
    "PDF with hexadecimal strings",
    "application/pdf",
    (address) => pdf("/Filter /FlateDecode", deflateSync(`<${Buffer.from(address).toString("hex")}> Tj`)),
  ],
  [
    "PDF with parentheses",
    "application/pdf",
    (address) => pdf("/Filter /FlateDecode", deflateSync(`(a (b) \\( ${address.replace("@", "\\\r\n@")}) Tj`)),
  ],
  [
    "PDF that is not compressed",
    "application/pdf",
    (address) => pdf("", `[(${address[0]}) 3 (${address.slice(1)})] TJ`),
  ],
  [
    "PDF with its author in UTF-16",
    "application/pdf",
    (address) => Buffer.from(`%PDF-1.7\n1 0 obj << /Author <${utf16(address)}> >> endobj\n`),
  ],
  [
    "PDF in base 85",
    "application/pdf",
    (address) => pdf("/Filter [/ASCII85Decode /FlateDecode]", ascii85(shown(address))),
  ],
  [
    "PDF in hexadecimal",
    "application/pdf",
    (address) => pdf("/Filter [ /ASCIIHexDecode /FlateDecode ]", `${shown(address).toString("hex")}>`),
  ],
];

test.each(files)(
  "%s: held where it names the real address, sent where it names the contact",
  async (_name, type, write) => {
    expect((await compose(withAttached(type, await write(realAddress)))).leaks).toHaveLength(1);
    expect((await compose(withAttached(type, await write(contact)))).leaks).toEqual([]);
  },
);

const morePacked = "in an attachment, which has more packed in it than is searched";
const tooDeep = "in parts that are nested too deep to be searched";
const encrypted = "in an encrypted part, which cannot be searched";

test.each([
  ["7z", "377abcaf271c0004"],
  ["RAR", "526172211a070100"],
  ["xz", "fd377a585a000004"],
  ["bzip2", "425a683931415926"],
  ["zstd", "28b52ffd04000000"],
])("an archive of %s, which is not opened, is held", async (_name, beginning) => {
  expect((await compose(withAttached(octets, Buffer.from(beginning, "hex")))).leaks).toEqual([morePacked]);
  expect((await compose(withAttached("application/zip", zip("a", Buffer.from(beginning, "hex"))))).leaks).toEqual([
    morePacked,
  ]);
});

test("a PDF stream in a form that is not undone is held", async () => {
  expect((await compose(withAttached("application/pdf", pdf("/Filter /LZWDecode", "x")))).leaks).toEqual([morePacked]);
  expect((await compose(withAttached("application/pdf", pdf("/Filter /DCTDecode", "x")))).leaks).toEqual([]);
});

test("encrypted S/MIME called a file is held, unless its owner sends such", async () => {
  const enveloped = Buffer.from("308006092a864886f70d010703a0800000", "hex");
  const raw = withAttached(`${octets}; name=smime.p7m`, enveloped);
  expect((await compose(raw)).leaks).toEqual([encrypted]);
  expect((await compose(raw, { sendsEncrypted: true })).leaks).toEqual([]);
});

const nested = (depth: number, content: Buffer): Buffer =>
  depth === 0 ? content : nested(depth - 1, zip("a.zip", content));

test("archives in archives are opened so far, and held beyond", async () => {
  expect((await compose(withAttached("application/zip", nested(5, Buffer.from("text"))))).leaks).toEqual([]);
  expect((await compose(withAttached("application/zip", nested(30, Buffer.from("text"))))).leaks).toEqual([tooDeep]);
});

test("what unpacks to much is held: in archives in archives, in base 85, and over many attachments", async () => {
  const bomb = zip("a", Buffer.alloc(4 * 1024 * 1024));
  const bombs = zipFile(Array.from({ length: 16 }, (_, at) => ({ name: `${at}.zip`, content: bomb })));
  expect((await compose(withAttached("application/zip", bombs))).leaks).toEqual([morePacked]);
  const zeros = "z".repeat(2 * 1024 * 1024);
  const wide = pdf("/Filter /ASCII85Decode", zeros);
  expect((await compose(withAttached("application/pdf", wide))).leaks).toEqual([morePacked]);
  const many = Array.from({ length: 40 }, () => zip("a", Buffer.alloc(2 * 1024 * 1024)));
  expect((await compose(withAttached("application/zip", ...many))).leaks).toEqual([morePacked]);
});
