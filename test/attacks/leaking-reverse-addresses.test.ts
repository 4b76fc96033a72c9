import { deflateSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import {
  answerContent,
  answerHeader,
  compose,
  lines,
  reverseAddress,
} from "../../services/forwarder/test-support/answer.ts";
import { withAttached } from "../../services/forwarder/test-support/attached.ts";
import { tnefFile } from "../../services/forwarder/test-support/tnef-file.ts";
import { zipFile } from "../../services/forwarder/test-support/zip-file.ts";

// What an owner attaches to an answer names the address under which the owner's program knows a contact: it leads to nobody outside.

const place = ["in an attachment"];
const contact = "ann@shop.example";
const [local, domain] = reverseAddress.split("@") as [string, string];

/** As a forward arrives, without what the owner's server writes. */
function forward(address: string): string {
  const author = `From: "Ann Lee (ann at shop.example)" <${address}>`;
  return lines(author, "To: shop@proxy.example", "Subject: x", "Message-ID: <1@shop.example>", "", "Hello.");
}

function document(address: string): Buffer {
  const content = Buffer.from(`<w:t>Ann Lee ${address.slice(0, 5)}</w:t><w:t>${address.slice(5)}</w:t>`);
  return zipFile([{ name: "word/document.xml", content, method: 8 }]);
}

function printed(address: string): Buffer {
  const content = deflateSync(`BT /F1 9 Tf [(${address.slice(0, 9)})-20(${address.slice(9)})] TJ ET`);
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n4 0 obj\n<</Length ${content.length}/Filter/FlateDecode>>\nstream\n`),
    content,
    Buffer.from("\nendstream\nendobj\n"),
  ]);
}

const utf16 = (address: string) => Buffer.from(`Ann Lee ${address}`, "utf16le");
const files: [string, string, (address: string) => Buffer | string][] = [
  ["a printed message", "application/pdf", printed],
  ["a document", "application/octet-stream", document],
  ["a message that is a file", "application/octet-stream", forward],
  ["a message of Outlook", "application/vnd.ms-outlook", utf16],
  ["winmail.dat", "application/ms-tnef", (address) => tnefFile(Buffer.from(document(address)))],
  ["a page with a link", "application/octet-stream", (address) => `<a href="mailto:${encodeURIComponent(address)}">`],
  ["data", "application/json", (address) => JSON.stringify({ mail: Buffer.from(forward(address)).toString("base64") })],
];

test.each(files)(
  "a reverse address in %s: held, and sent where it is the contact's own",
  async (_name, type, write) => {
    for (const address of [reverseAddress, `${local.toUpperCase()}@${domain}`])
      expect((await compose(withAttached(type, write(address)))).leaks).toEqual(place);
    expect((await compose(withAttached(type, write(contact)))).leaks).toEqual([]);
  },
);

function withMessage(message: string): string {
  const header = answerHeader("MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"');
  return lines(header, "", "--b", "", "text", "--b", "Content-Type: message/rfc822", "", message, "--b--", "");
}

test("a reverse address in the header of an attached message, as every forward has one: held", async () => {
  expect((await compose(withMessage(forward(reverseAddress)))).leaks).toEqual(place);
  expect((await compose(withMessage(forward(contact)))).leaks).toEqual([]);
  const encoded = `From: =?utf-8?q?${local.replace("+", "=2B")}=40${domain}?= <${contact}>`;
  expect((await compose(withMessage(lines(encoded, "MIME-Version: 1.0", "", "x")))).leaks).toEqual(place);
});

test("a reverse address in a file name, or beside the parts that are shown: held", async () => {
  const named = withAttached(`application/pdf; name="${local}@"; name*0="${local}"; name*1="@${domain}.pdf"`, "x");
  expect((await compose(named)).leaks).toHaveLength(1);
  const beside = withAttached("application/pdf", "x").replace("--b--", `--b--\r\n${reverseAddress}`);
  expect((await compose(beside)).leaks).toEqual(["in its source, outside of the parts that are shown"]);
});

test("of an owner without a real address too", async () => {
  const attached = withAttached("application/pdf", printed(reverseAddress));
  expect((await compose(attached, { realAddresses: [], author: answerContent.author })).leaks).toEqual(place);
});

test("what only begins like a reverse address is none", async () => {
  const others = [
    `re@${domain}`,
    `re+tag@${domain}`,
    `re+${"a".repeat(25)}@${domain}`,
    `re+${"1".repeat(26)}@${domain}`,
  ];
  expect((await compose(withAttached("application/pdf", others.join("\n")))).leaks).toEqual([]);
});
