import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { type ParsedMessage, parseMessage } from "./message.ts";

// Mail that is odd but right, or that others read whatever the RFCs say.

async function read(name: string): Promise<ParsedMessage<Buffer>> {
  const file = await readFile(new URL(`../../../test/corpus/${name}.eml`, import.meta.url), "latin1");
  const source = Readable.from([Buffer.from(file.replaceAll("\n", "\r\n"), "latin1")], { objectMode: false });
  return parseMessage(source, buffer, AbortSignal.timeout(30_000));
}

const filesOf = ({ attachments }: ParsedMessage<Buffer>) =>
  attachments.map(({ filename, mime, stored }) => [filename, mime, stored.toString()]);
const report = ["report.pdf", "application/pdf", "%PDF-1.4"];

test.each<[string, string | null, string | null, string[][]]>([
  ["boundary-with-trailing-blanks", "The delimiters of this message have blanks behind them.", null, [report]],
  [
    "inner-multipart-not-closed",
    "The inner multipart has no last delimiter.",
    "<p>The inner multipart has no last delimiter.</p>",
    [report],
  ],
  ["blanks-before-the-colon", "Grüße\n", null, []],
  ["folds-before-the-colon", "Grüße\n", null, []],
  ["utf-7", "Grüße + €\n", null, []],
  ["x-uuencode", "One file, encoded as it was before MIME.", null, [["hello.txt", "text/plain", "hello, world\n"]]],
  [
    "inline-text-with-a-name",
    "The file below is text, and inline.\nAnd text again.",
    null,
    [["notes.txt", "text/plain", "notes"]],
  ],
  [
    "file-names",
    "Names in all their forms.",
    null,
    [
      ["日本.csv", "text/csv", "a,b"],
      ["Rechnung für.pdf", "application/pdf", "pdf"],
      ["my picture (2).png", "image/png", "png"],
    ],
  ],
  ["flowed", "This paragraph was broken softly.\n> So was this one.\n", null, []],
  ["no-boundary-comes", "There are no parts in this message.\n", null, []],
])("%s is read with all of its parts", async (name, text, html, files) => {
  const message = await read(name);
  expect(message).toMatchObject({ text, html, fault: null });
  expect(filesOf(message)).toEqual(files);
});

test.each([
  ["blanks-before-the-colon", { From: "Ann Lee <ann@author.example>", Subject: "blanks before the colon" }],
  ["folds-before-the-colon", { From: "Ann Lee <ann@author.example>", Subject: "folds before the colon" }],
  ["line-ends-in-a-subject", { Subject: "Hello Bcc: eve@example.org" }],
  ["utf-7", { Subject: "Grüße" }],
  [
    "encoded-words",
    {
      Subject: "Äpfel",
      "X-Parted-Character": "€",
      "X-Parted-Between-Encodings": "€",
      "X-Parted-Base64": "äö",
      "X-Language": "Grüße",
      "X-Blanks": "Grüße aus Wien",
      "X-Question": "Wirklich?",
      "X-In-Quotes": '"Jörg" <joerg@author.example>',
      "X-Next-To-Text": "(Jörg)",
      "X-Folded": "eins zwei dréi",
      "X-Unknown": "=?x-none?Q?a?=",
    },
  ],
])("%s has its header read", async (name, headers) => {
  expect(Object.fromEntries((await read(name)).headers)).toMatchObject(headers);
});
