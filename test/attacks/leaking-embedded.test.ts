import { expect, test } from "@jest/globals";
import { answerHeader, compose, lines, realAddress } from "../../services/forwarder/test-support/answer.ts";
import { withAttached } from "../../services/forwarder/test-support/attached.ts";
import { signedData } from "../../services/forwarder/test-support/cms.ts";
import { zipFile } from "../../services/forwarder/test-support/zip-file.ts";

// The real address leaves with an answer in files that are written into others: in calendars, business cards and web pages, and in
// folders of mail that are attached.

const contact = "ann@shop.example";
const octets = "application/octet-stream";
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64");
const utf16 = (text: string) => Buffer.from(text, "utf16le");
const folded = (line: string) => line.replaceAll(/.{74}/g, "$&\r\n ");
const parted = (address: string, name: string) => address.replace("@", `<${name}>@</${name}>`);
const docx = (address: string) =>
  zipFile([{ name: "word/document.xml", content: Buffer.from(`<w:t>${address.replace("@", "</w:t><w:t>@")}</w:t>`) }]);
const svg = (address: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><text>${parted(address, "tspan")}</text></svg>`;
const svgUrl = (address: string) => `data:image/svg+xml;base64,${base64(svg(address))}`;
const page = (address: string) => `<p>${parted(address, "b")}</p>`;
const message = (address: string) =>
  lines(
    ...["From: x@shop.example", "MIME-Version: 1.0", "Content-Type: text/html", "Content-Transfer-Encoding: base64"],
    ...["", base64(page(address)), ""],
  );

const written = (type: string, text: string) =>
  lines(answerHeader("MIME-Version: 1.0", `Content-Type: ${type}; charset=utf-8`), "", text, "");
const html = (body: string) => written("text/html", body);
const calendar = (...properties: string[]) =>
  lines(
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REPLY", "BEGIN:VEVENT", "UID:1@shop.example"],
    ...[...properties.map(folded), "END:VEVENT", "END:VCALENDAR", ""],
  );
const card = (version: string, ...properties: string[]) =>
  lines("BEGIN:VCARD", `VERSION:${version}`, "FN:Olive", ...properties.map(folded), "END:VCARD", "");
const attach = (address: string) =>
  `ATTACH;ENCODING=BASE64;VALUE=BINARY;X-FILENAME="a: b.docx":${base64(docx(address))}`;
const from = "From - Mon Nov  2 10:00:00 2026";
const other = lines("Subject: x", "", "text", "", "");
const pem = (label: string, bytes: Buffer) =>
  lines(`-----BEGIN ${label}-----`, base64(bytes).replaceAll(/.{64}/g, "$&\r\n"), `-----END ${label}-----`, "");
const executable = Buffer.from("MZ".padEnd(500, "x"));

/** The same where its places count from the beginning of the file, as some programs write them. */
function withPlacesOfFile(before: Buffer, zip: Buffer): Buffer {
  const file = Buffer.concat([before, zip]);
  const central = file.indexOf("PK\u0001\u0002", 0, "latin1");
  file.writeUInt32LE(before.length, central + 42);
  const end = file.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  if (end !== -1) file.writeUInt32LE(central, end + 16);
  return file;
}

const files: readonly (readonly [name: string, write: (address: string) => string])[] = [
  ["a document in a calendar", (address) => written("text/calendar; method=REPLY", calendar(attach(address)))],
  ["a document in an attached calendar", (address) => withAttached(`${octets}; name=a.ics`, calendar(attach(address)))],
  [
    "a document in a calendar, as a URL",
    (address) => withAttached("text/calendar", calendar(`ATTACH:data:${octets};base64,${base64(docx(address))}`)),
  ],
  ["a logo in a business card", (address) => withAttached("text/vcard", card("4.0", `LOGO:${svgUrl(address)}`))],
  [
    "a logo in a former business card",
    (address) => withAttached("text/x-vcard", card("2.1", `LOGO;ENCODING=BASE64;TYPE=SVG:${base64(svg(address))}`, "")),
  ],
  ["a picture in a page", (address) => html(`<p>x</p><img alt='a' src="${svgUrl(address)}">`)],
  ["a picture in a page in UTF-16", (address) => withAttached("text/html", utf16(`<img src="${svgUrl(address)}">`))],
  ["a logo in UTF-16", (address) => withAttached(octets, utf16(card("4.0", `LOGO:${svgUrl(address)}`)).swap16())],
  [
    "a picture in a page, without base64",
    (address) => html(`<img src="data:image/svg+xml,${encodeURIComponent(svg(address))}">`),
  ],
  [
    "a picture in a page, in part as it stands",
    (address) => html(`<img src='data:image/svg+xml;utf8,${svg(address).replaceAll("<", "%3C")}'>`),
  ],
  ["a picture in a style", (address) => html(`<style>p { background: url(${svgUrl(address)}) }</style>`)],
  [
    "a picture in a style of an element",
    (address) => html(`<p style="background:url(&quot;${svgUrl(address)}&quot;)">x</p>`),
  ],
  ["a document in a page", (address) => html(`<a href="data:application/x;base64,${base64(docx(address))}">x</a>`)],
  [
    "a page in a page",
    (address) => html(`<iframe src="data:text/html,${encodeURIComponent(page(address))}"></iframe>`),
  ],
  [
    "a picture in an attached page",
    (address) => withAttached(`${octets}; name=a.html`, `<html><img src="${svgUrl(address)}"></html>`),
  ],
  [
    "a picture in a picture, in lines",
    (address) =>
      withAttached(
        "image/svg+xml",
        `<svg><image xlink:href="${svgUrl(address).replaceAll(/.{76}/g, "$&&#10;")}"/></svg>`,
      ),
  ],
  [
    "a picture in a picture of a document",
    (address) =>
      withAttached(
        `${octets}; name=a.odt`,
        zipFile([{ name: "Pictures/a.svg", content: Buffer.from(`<svg><image href="${svgUrl(address)}"/></svg>`) }]),
      ),
  ],
  ["the first message of a folder", (address) => withAttached("application/mbox", lines(from, message(address)))],
  [
    "a later message of a folder",
    (address) => withAttached(`${octets}; name=Inbox`, lines(from, other + from, message(address), from, other)),
  ],
  [
    "a message of a folder called a text",
    (address) => withAttached("text/plain; name=Inbox", lines(from, other + from, message(address))),
  ],
  [
    "a message of a folder in an archive",
    (address) =>
      withAttached(
        "application/zip",
        zipFile([{ name: "Inbox", content: Buffer.from(lines(from, other + from, message(address))) }]),
      ),
  ],
  ["a message called a text", (address) => withAttached("text/plain; name=a.eml", message(address))],
  [
    "a message of Apple Mail",
    (address) =>
      withAttached(
        `${octets}; name=a.emlx`,
        `${message(address).length}      \n${message(address)}<?xml version="1.0"?><plist/>`,
      ),
  ],
  [
    "a message with a mark of its encoding",
    (address) => withAttached(`${octets}; name=a.eml`, `\ufeff${message(address)}`),
  ],
  [
    "an archive that opens itself",
    (address) => withAttached(`${octets}; name=a.exe`, Buffer.concat([executable, docx(address)])),
  ],
  [
    "an archive that opens itself, with places of the file",
    (address) => withAttached(octets, withPlacesOfFile(executable, docx(address))),
  ],
  ["S/MIME in PEM", (address) => withAttached(`${octets}; name=a.pem`, pem("PKCS7", signedData(message(address))))],
  [
    "S/MIME in PEM that says what it is",
    (address) => withAttached("application/pkcs7-mime; smime-type=signed-data", pem("CMS", signedData(docx(address)))),
  ],
  [
    "S/MIME in PEM in a text",
    (address) => written("text/plain", `Here:\r\n\r\n${pem("PKCS7", signedData(message(address)))}`),
  ],
];

test.each(files)("%s: held where it names the real address, sent where it names the contact", async (_name, write) => {
  expect((await compose(write(realAddress))).leaks).toHaveLength(1);
  expect((await compose(write(contact))).leaks).toEqual([]);
});

const picture = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(1024 * 1024, "picture")]);
const pictureUrl = `data:image/png;base64,${base64(picture)}`;

test.each([
  [
    "a page with more pictures than is unpacked",
    withAttached(`${octets}; name=a.mht`, `x ${`<img src="${pictureUrl}">`.repeat(6)}`),
  ],
  ["an answer with pictures in its text", html(`<p>x</p>${`<img src="${pictureUrl}">`.repeat(3)}`)],
  ["a page with a font", html(`<style>@font-face { src: url(data:font/woff2;base64,d09GMgABAAAAAA==) }</style>`)],
  ["a page with many small pictures", html(`<img src="data:image/svg+xml,%3Csvg/%3E">`.repeat(500))],
  [
    "a business card with a photograph",
    withAttached("text/vcard", card("3.0", `PHOTO;ENCODING=b;TYPE=PNG:${base64(picture)}`)),
  ],
  [
    "a calendar with a link",
    written("text/calendar", calendar('ATTACH;FMTTYPE=text/html:https://shop.example/a?b="c"', "X-A;ENCODING=8BIT:x")),
  ],
  [
    "a script with properties called data",
    withAttached(
      "text/javascript; name=a.js",
      "a={data:b,c:{data:d,e:{data:f,g:{data:h,i:{data:j,k:{data:l,m:{metadata:n,o:p}}}}}}};",
    ),
  ],
  ["a text about data", written("text/plain", "The data: a, b. More data:, and data:;base64, and (data:x")],
  [
    "a text that begins with From",
    withAttached("text/plain; name=a.txt", "From here on: x\r\n\r\nFrom there\r\nNote: x\r\n"),
  ],
  ["a text with fields", withAttached("text/plain; name=a.log", "Content-Type: text/html\r\n\r\n<p>x</p>")],
  ["a public key", written("text/plain", pem("PUBLIC KEY", Buffer.from("key")))],
  [
    "a program",
    withAttached(`${octets}; name=a.exe`, Buffer.concat([executable, Buffer.from("PK\u0005\u0006"), executable])),
  ],
])("%s is sent", async (_name, answer) => {
  expect((await compose(answer)).leaks).toEqual([]);
});

const nestedPage = (depth: number): string =>
  depth === 0 ? "<p>x</p>" : `<img src="data:image/svg+xml;base64,${base64(nestedPage(depth - 1))}">`;

test("files are opened so far within files, and so many of one text, and held beyond", async () => {
  expect((await compose(html(nestedPage(5)))).leaks).toEqual([]);
  expect((await compose(html(nestedPage(6)))).leaks).toEqual(["in parts that are nested too deep to be searched"]);
  const morePacked = "which has more packed in it than is searched";
  const many = `<img src="data:image/svg+xml,%3Csvg/%3E">`.repeat(2_001);
  expect((await compose(html(many))).leaks).toEqual([`in the text that you wrote, ${morePacked}`]);
  const folder = lines(from, other).repeat(2_001);
  expect((await compose(withAttached("application/mbox", folder))).leaks).toEqual([`in an attachment, ${morePacked}`]);
});

test("a signed answer whose certificate names the real address is held", async () => {
  const certificate = (address: string) =>
    Buffer.concat([signedData(message(contact)), Buffer.from(`\x16\x10${address}`)]);
  const signed = (address: string) =>
    lines(
      answerHeader(
        "MIME-Version: 1.0",
        'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary="s"',
      ),
      ...["", "--s", "", "text", "--s", "Content-Type: application/pkcs7-signature; name=smime.p7s"],
      ...["Content-Transfer-Encoding: base64", "", base64(certificate(address)), "--s--", ""],
    );
  const opaque = (address: string) =>
    lines(
      answerHeader("MIME-Version: 1.0", "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m"),
      ...["Content-Transfer-Encoding: base64", "", base64(certificate(address)), ""],
    );
  expect((await compose(signed(realAddress))).leaks).toEqual(["in a signed part"]);
  expect((await compose(opaque(realAddress))).leaks).toEqual(['in the attachment "smime.p7m"']);
  for (const write of [signed, opaque]) expect((await compose(write(contact))).leaks).toEqual([]);
});
