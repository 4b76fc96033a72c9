import { expect, test } from "@jest/globals";
import { answerHeader, compose, lines, realAddress } from "../../services/forwarder/test-support/answer.ts";
import { withAttached } from "../../services/forwarder/test-support/attached.ts";

// The real address leaves with an answer in a look that a reader takes for it and a search for its octets does not.

const contact = "ann@shop.example";

function written(type: string, text: string): string {
  return lines(answerHeader("MIME-Version: 1.0", `Content-Type: ${type}`), "", latin1(text), "");
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const fullWidth = (text: string) =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
const bold = (text: string) =>
  text.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 0x61));
const plain = (write: (address: string) => string) => (address: string) =>
  written("text/plain; charset=utf-8", write(address));
const html = (between: string) => (address: string) =>
  written("text/html; charset=utf-8", `<p>${address.replace("@", `${between}@`)}</p>`);

const looks: readonly (readonly [name: string, write: (address: string) => string])[] = [
  ["full width letters", plain(fullWidth)],
  ["a full width at sign", plain((address) => address.replace("@", "＠"))],
  ["a small at sign", plain((address) => address.replace("@", "﹫"))],
  ["an ideographic full stop", plain((address) => address.replace(".example", "。example"))],
  ["mathematical letters", plain(bold)],
  ["an at sign escaped for Markdown", plain((address) => address.replace("@", "\\@"))],
  [
    "full width letters in the subject",
    (address) => lines(answerHeader(`Subject: =?utf-8?b?${base64(fullWidth(address))}?=`), "", "text", ""),
  ],
  [
    "full width letters in a file name",
    (address) => withAttached(`application/pdf; name*=utf-8''${encodeURIComponent(fullWidth(address))}`, "x"),
  ],
  [
    "full width letters in an attached text",
    (address) => withAttached("text/plain; charset=utf-8; name=a.txt", fullWidth(address)),
  ],
  [
    "pieces of a parameter of any field",
    (address) =>
      withAttached(`application/pdf\r\nContent-Note: a; b*0=${address.slice(0, 4)}; b*1="${address.slice(4)}"`, "x"),
  ],
  ["an element that is not displayed", html('<span style="display:none">x</span>')],
  ["elements that are not displayed", html("<span style='display: none !important'>no<b>spam</b></span>")],
  ["an element that is not visible", html('<i class=a style="visibility: hidden">nospam</i>')],
  ["an element without a size", html('<span style="font-size:0">nospam</span>')],
];

test.each(looks)("%s: held where it names the real address, sent where it names the contact", async (_name, write) => {
  expect((await compose(write(realAddress))).leaks).toHaveLength(1);
  expect((await compose(write(contact))).leaks).toEqual([]);
});

test("elements that are not displayed are found in a time that goes with the length of the text", async () => {
  const million = 1024 * 1024;
  for (const piece of [
    "<a display:none ",
    "<a style=display:none>",
    "<",
    "display:none",
    "<a style=display:none><b>",
  ]) {
    const text = piece.repeat(Math.ceil(million / piece.length));
    expect((await compose(written("text/html", text))).leaks).toEqual([]);
  }
});
