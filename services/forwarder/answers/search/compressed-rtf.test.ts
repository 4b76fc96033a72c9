import { expect, test } from "@jest/globals";
import { compressedTexts } from "./compressed-rtf.ts";

/** The examples of MS-OXRTFCP sections 3.1.1 and 3.1.2. */
const simple = Buffer.from(
  "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0",
  "hex",
);
const crossing = Buffer.from("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0", "hex");

test("what the examples of its specification say", () => {
  const texts = (...pieces: Buffer[]) => [...compressedTexts(Buffer.concat(pieces), 1_000)].map(String);
  expect(texts(simple)).toEqual(["{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"]);
  expect(texts(crossing)).toEqual(["{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"]);
  expect(texts(Buffer.from("before"), simple, Buffer.from("between"), crossing)).toHaveLength(2);
  expect(texts(Buffer.from("no such text"))).toEqual([]);
});

test("no more than there is room for, and of what is cut what is there", () => {
  expect([...compressedTexts(crossing, 10)].map(String)).toEqual(["{\\rtf1 WXY"]);
  expect([...compressedTexts(crossing.subarray(0, 23), 100)].map(String)).toEqual(["{\\rtf1 WXY"]);
  expect([...compressedTexts(crossing.subarray(0, 12), 100)].map(String)).toEqual([""]);
});
