import { deflateRawSync, deflateSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { packedContents } from "./packed-contents.ts";

/** A ZIP file of one entry. */
function zip(content: Buffer, method: 0 | 8 = 8): Buffer {
  const data = method === 8 ? deflateRawSync(content) : content;
  const local = Buffer.alloc(30);
  local.write("PK\u0003\u0004", "latin1");
  const central = Buffer.alloc(46);
  central.write("PK\u0001\u0002", "latin1");
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(data.length, 20);
  return Buffer.concat([local, data, central]);
}

const textsOf = (bytes: Buffer) => [...packedContents(bytes)].map((each) => each.toString());

test("the entries of a ZIP file, stored and deflated, and the text of markup by itself", () => {
  expect(textsOf(zip(Buffer.from("plain"), 0))).toEqual(["plain"]);
  const xml = "<w:t>olive</w:t><w:t>@home.example</w:t>";
  expect(textsOf(zip(Buffer.from(xml)))).toEqual([xml, "olive@home.example"]);
});

test("the streams of a PDF file", () => {
  const stream = (content: string) =>
    Buffer.concat([Buffer.from("<< /Length 1 >>\nstream\r\n"), deflateSync(content), Buffer.from("\nendstream\n")]);
  const pdf = Buffer.concat([
    Buffer.from("%PDF-1.7\n"),
    stream("one"),
    Buffer.from("stream\nnot deflated\nendstream\n"),
    stream("two"),
  ]);
  expect(textsOf(pdf)).toEqual(["one", "two"]);
});

test("no more is unpacked than 4 MiB, and nothing of what is broken or something else", () => {
  expect(textsOf(zip(Buffer.alloc(64 * 1024 * 1024)))).toEqual([]);
  const broken = zip(Buffer.from("x".repeat(100)));
  broken.fill(0xff, 30, 34);
  expect(textsOf(broken)).toEqual([]);
  expect(textsOf(Buffer.from("PK\u0003\u0004"))).toEqual([]);
  expect(textsOf(Buffer.from("text"))).toEqual([]);
});
