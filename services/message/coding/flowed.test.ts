import { expect, test } from "@jest/globals";
import { decodeFlowed } from "./flowed.ts";

test.each([
  ["one \ntwo\nthree", "one two\nthree"],
  ["one \n two", "one two"],
  [" >no quote\n From here", ">no quote\nFrom here"],
  ["> one \n> two\n>> three \nfour", "> one two\n>> three \nfour"],
  ["text \n-- \nname", "text \n-- \nname"],
  ["one\n\ntwo\n", "one\n\ntwo\n"],
  ["last ", "last "],
])("%j is %j", (text, expected) => {
  expect(decodeFlowed(text, false)).toBe(expected);
});

test("delsp=yes takes the spaces before soft breaks", () => {
  expect(decodeFlowed("日 \n本", true)).toBe("日本");
});
