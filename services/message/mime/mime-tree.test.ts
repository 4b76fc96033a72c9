import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { leaves, lines, mixed, parse } from "../test-support/parsed-message.ts";
import { type MimeNode, readMimeTree } from "./mime-tree.ts";

const limits = { entities: 100, depth: 10, headerBytes: 10_000 };

const leavesOf = (bytes: Buffer, node: MimeNode): [string, string][] =>
  node.children.length > 0 || node.content.type.startsWith("multipart/")
    ? node.children.flatMap((child) => leavesOf(bytes, child))
    : [[node.content.type, bytes.toString("latin1", node.bodyStart, node.bodyEnd)]];

function expectAlike(message: string): void {
  const bytes = Buffer.from(message, "latin1");
  const { root, exceededLimit } = parse(message, [], limits);
  const tree = readMimeTree(bytes, limits);
  if (exceededLimit !== undefined) expect(tree).toBeUndefined();
  else expect(tree && leavesOf(bytes, tree)).toEqual(leaves(root));
}

test.each([
  ["no multipart", lines("Subject: x", "", "text")],
  ["no body", lines("Subject: x")],
  ["nothing", ""],
  ["no header", lines("no header here", "", "text")],
  [
    "parts",
    lines(mixed("b"), "", "pre", "--b", "Content-Type: text/html", "", "one", "--b", "", "two", "--b--", "epilogue"),
  ],
  ["an inner one not closed", lines(mixed("o"), "", "--o", mixed("i"), "", "--i", "", "x", "--o", "", "y", "--o--")],
  ["a delimiter in a header", lines(mixed("b"), "", "--b", "Content-Type: text/html", "--b", "", "x", "--b--")],
  ["no end", lines(mixed("b"), "", "--b", "", "x")],
  ["a boundary that never comes", lines(mixed("b"), "", "text")],
])("the leaves of %s are the parser's", (_title, message) => expectAlike(message));

test("the leaves of any message are the parser's", () => {
  const piece = fc.constantFrom(
    ...["--a", "--b", "--a--", "--b--", "", "text", mixed("a"), mixed("b"), "Content-Type: text/html", "--", "-"],
    ...["--a ", "--c", "Content-Type: message/rfc822", " fold"],
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (parts) => expectAlike(lines(...parts))));
});
