import { expect, test } from "@jest/globals";
import { readMimeTree } from "../../../message/mime/mime-tree.ts";
import { answerHeader, compose, lines, realAddress } from "../../test-support/answer.ts";
import { answerLimits } from "../search/find-leaks.ts";

const composed = async (...parts: readonly string[]) => {
  const { message, leaks } = await compose(lines(answerHeader("MIME-Version: 1.0", ...parts)));
  return { message, leaks, text: message.toString() };
};

/** Types of a message with what is in its leaves. */
function shapeOf(message: Buffer): string[] {
  const root = readMimeTree(message, answerLimits);
  const visit = (node: NonNullable<typeof root>): string[] =>
    node.children.length === 0
      ? [`${node.content.type} ${message.toString("latin1", node.bodyStart, node.bodyEnd)}`]
      : [node.content.type, ...node.children.flatMap(visit)];
  return root ? visit(root) : [];
}

const mixed = (outer: string, inner: string) => [
  `Content-Type: multipart/mixed;\r\n\tboundary="${outer}"; charset=utf-8`,
  ...["", "This is a multi-part message.", "", `--${outer}`],
  ...[`Content-Type: multipart/alternative; boundary="${inner}"`, "", `--${inner}`, "", "text", `--${inner}  `],
  ...["Content-Type: text/html", "", "<p>text</p>", `--${inner}--`, "", `--${outer}`],
  ...["Content-Type: image/png", "", `--x${outer}`, `--${outer}--`, "after", ""],
];
const shape = ["multipart/mixed", "multipart/alternative", "text/plain text", "text/html <p>text</p>", "image/png --x"];

test.each([
  // Exchange makes it of the Message-ID: its own host, without punctuation.
  [
    "of a server's own name",
    "_004_0c9d5f1a2b3c4e5f8d7a6b5c4d3e2f1aMAIL01homeexample_",
    "_000_0c9d5f1aMAIL01homeexample_",
  ],
  ["with the domain", "=_olive.home.example_1763629951", "----=_alt.1763629951@HOME.example"],
  ["with a host below it", "next_mail.home.example_2", "next_mail.home.example_1"],
])("a boundary %s is another one outside, and the parts are as they were", async (_name, outer, inner) => {
  const { message, leaks, text } = await composed(...mixed(outer, inner));
  expect(leaks).toEqual([]);
  expect(text.split(`--x${outer}`).join("").toLowerCase()).not.toMatch(/home\.?example/);
  expect(shapeOf(message)).toEqual([...shape.slice(0, -1), `image/png --x${outer}`]);
  expect(text).toContain("\r\nThis is a multi-part message.\r\n");
  expect(text).toMatch(/multipart\/mixed;\r\n\tboundary="[\w=]{20,}"; charset=utf-8/);
});

test("other boundaries stay, octet for octet", async () => {
  const parts = mixed("_004_DB9PR01MB1234eurprd01prod_", "0000000000a1b2c3");
  const { text } = await composed(...parts);
  expect(text).toContain(`${parts.join("\r\n").slice("Content-Type".length)}`);
});

test("one that is the real address is replaced, and two copies are the same", async () => {
  const parts = mixed(`b_${realAddress}`, "inner");
  const { message, leaks } = await composed(...parts);
  expect(leaks).toEqual(["in an attachment"]);
  const without = parts.map((line) => line.replace(/^--x.*/, "x"));
  const first = await composed(...without);
  expect(first.leaks).toEqual([]);
  expect(first.text).not.toContain(realAddress);
  expect((await composed(...without)).message.equals(first.message)).toBe(true);
  expect(shapeOf(message)).toHaveLength(shape.length);
});

test("around what is signed it is another one, and what is signed stays", async () => {
  const signed = [
    'Content-Type: multipart/mixed; boundary="i-home.example"',
    "",
    "--i-home.example",
    "",
    "text",
    "--i-home.example--",
  ];
  const { message, text, leaks } = await composed(
    ...[
      'Content-Type: multipart/signed; micalg=pgp-sha256; boundary="s-home.example"',
      "",
      "--s-home.example",
      ...signed,
    ],
    ...["--s-home.example", "Content-Type: application/pgp-signature", "", "sig", "--s-home.example--", ""],
  );
  expect(leaks).toEqual([]);
  expect(text).not.toContain("s-home.example");
  expect(text).toContain(signed.join("\r\n"));
  expect(shapeOf(message)).toEqual([
    "multipart/signed",
    "multipart/mixed",
    "text/plain text",
    "application/pgp-signature sig",
  ]);
});

test("an unquoted one, and one in a field that is written in an unusual way", async () => {
  const part = ["", "--a.home.example", "", "text", "--a.home.example--", ""];
  const unquoted = await composed("Content-Type: multipart/mixed; boundary=a.home.example; x=y", ...part);
  expect(unquoted.text).not.toContain("home.example");
  expect(shapeOf(unquoted.message)).toEqual(["multipart/mixed", "text/plain text"]);
  // Its pieces are left as they are: the parts have to be found.
  const pieces = await composed('Content-Type: multipart/mixed; boundary*0="a.home"; boundary*1=".example"', ...part);
  expect(shapeOf(pieces.message)).toEqual(["multipart/mixed", "text/plain text"]);
});
