import { deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { answerHeader, compose, lines, realAddress } from "../../services/forwarder/test-support/answer.ts";
import { compressed, compressedData, octets, signedData } from "../../services/forwarder/test-support/cms.ts";

// The real address leaves with an answer in forms that its source does not show.

const contact = "ann@shop.example";

function attached(type: string, content: Buffer | string): string {
  const body = Buffer.from(content).toString("base64").replaceAll(/.{76}/g, "$&\r\n");
  const fields = [`Content-Type: ${type}`, "Content-Transfer-Encoding: base64"];
  return lines(
    answerHeader("MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"'),
    ...["", "--b", "", "text", "--b", ...fields, "", body, "--b--", ""],
  );
}

function written(text: string, type = "text/plain"): string {
  return lines(answerHeader("MIME-Version: 1.0", `Content-Type: ${type}`), "", text, "");
}

const leaksOf = async (message: string) => (await compose(message)).leaks;

const html = (address: string) =>
  lines("Content-Type: text/html", "", `<p>${address.replace("@", "<b>@</b>")}</p>`, "");
const rtf = (address: string) => `{\\rtf1\\ansi\\ansicpg1252 {\\b From:} ${address}\\par}`;

function uuencoded(content: Buffer | string): string {
  const bytes = Buffer.from(content);
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += 45) {
    const row = bytes.subarray(at, at + 45);
    const letters = [...row.toString("base64").replaceAll("=", "A")].map((letter) => {
      const value = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(letter);
      return String.fromCharCode(value === 0 ? 0x60 : value + 0x20);
    });
    rows.push(String.fromCharCode(row.length + 0x20) + letters.join(""));
  }
  return lines("begin 644 a.txt", ...rows, "`", "end");
}

/** How an address can be written; what it is of somebody else is no matter. */
const guises: readonly (readonly [name: string, write: (address: string) => string])[] = [
  [
    "S/MIME compressed data",
    (address) => attached("application/pkcs7-mime; smime-type=compressed-data; name=a.p7z", compressed(html(address))),
  ],
  [
    "S/MIME compressed data in pieces of unknown length",
    (address) => attached("application/pkcs7-mime; smime-type=compressed-data", compressed(html(address), 7)),
  ],
  [
    "S/MIME signed data that has the text in it",
    (address) => attached("application/pkcs7-mime; smime-type=signed-data", signedData(html(address), 7)),
  ],
  ["gzip", (address) => attached("application/gzip; name=a.txt.gz", gzipSync(`From: ${address}`))],
  [
    "gzip in two members",
    (address) => attached("application/octet-stream", Buffer.concat([gzipSync("From: "), gzipSync(address)])),
  ],
  ["RTF with an octet escaped", (address) => attached("application/rtf", rtf(address.replace("@", "\\'40")))],
  [
    "RTF with a character escaped",
    (address) => attached("application/msword; name=a.doc", rtf(address.replace("@", "\\u64?"))),
  ],
  [
    "RTF with octets escaped after a character",
    (address) => attached("text/rtf", rtf(`\\uc2\\u${address.charCodeAt(0)}\\'3f\\'3f${address.slice(1)}`)),
  ],
  ["RTF with groups and controls in it", (address) => attached("text/rtf", rtf(address.replace("@", "{\\b @}\\b0 ")))],
  ["uuencode in a text", (address) => written(lines("Here it is.", "", uuencoded(`From: ${address}`), "", "Olive"))],
  ["uuencode in an attached text", (address) => attached("text/plain; name=a.txt", uuencoded(`From: ${address}`))],
  ["uuencode of what is packed", (address) => written(uuencoded(gzipSync(address)))],
  ["a VERP", (address) => written(`Returned: bounces+${address.replace("@", "=")}@lists.example`)],
  ["an SRS", (address) => written(`Returned: SRS0=x=y=${address.split("@").reverse().join("=")}@lists.example`)],
  [
    "SVG with its text in parts",
    (address) => attached("image/svg+xml", `<svg><text>${address.replace("@", "<tspan>@</tspan>")}</text></svg>`),
  ],
  [
    "XHTML with tags in it",
    (address) => attached("application/xhtml+xml", `<?xml version="1.0"?>\n<p>${address.replace("@", "<b>@</b>")}</p>`),
  ],
];

test.each(guises)("%s: held where it names the real address, sent where it names the contact", async (_name, write) => {
  expect(await leaksOf(write(realAddress))).toHaveLength(1);
  expect(await leaksOf(write(contact))).toEqual([]);
});

test("S/MIME data that is no such, or that more is in than is searched, is held", async () => {
  const type = "application/pkcs7-mime; smime-type=compressed-data";
  expect(await leaksOf(attached(type, "x"))).toHaveLength(1);
  const bomb = compressedData(octets(deflateSync(Buffer.alloc(64 * 1024 * 1024))));
  expect(await leaksOf(attached(type, bomb))).toHaveLength(1);
});
