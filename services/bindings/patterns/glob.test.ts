import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { Glob } from "./glob.ts";

test.each([
  ["*", ["", "a", "a.b-c"], []],
  ["shop-*", ["shop-", "shop-amazon"], ["shop", "myshop-x"]],
  ["?", ["a", "ä"], ["", "ab"]],
  ["{shop,news}.*", ["shop.x", "news."], ["shops.x", "new.x"]],
  ["a{,b}c", ["ac", "abc"], ["abbc", "a,c"]],
  ["*x*", ["x", "axb"], ["ab"]],
  ["a*b?c", ["abxc", "aabbxc"], ["abc"]],
  ["x{*}y", ["x*y"], ["xay"]],
])("%s", (glob, taken, refused) => {
  for (const text of taken) expect([text, new Glob(glob).matches(text)]).toEqual([text, true]);
  for (const text of refused) expect([text, new Glob(glob).matches(text)]).toEqual([text, false]);
});

test.each(["{a", "a}", "{a{b}}", "}{"])("%s is none", (glob) => {
  expect(() => new Glob(glob)).toThrow(SyntaxError);
});

test("takes what a regular expression takes", () => {
  const token = fc.constantFrom("*", "?", "a", "b", "{a,bb}", "{,b}");
  const expression = (glob: string) =>
    glob
      .replaceAll("*", ".*")
      .replaceAll("?", ".")
      .replace(/\{([^,]*),([^}]*)\}/g, "(?:$1|$2)");
  fc.assert(
    fc.property(
      fc.array(token, { maxLength: 6 }),
      fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 }),
      (tokens, text) => {
        const glob = tokens.join("");
        expect(new Glob(glob).matches(text)).toBe(new RegExp(`^${expression(glob)}$`).test(text));
      },
    ),
  );
});

test("a hostile pattern takes as many steps as its text is long", () => {
  expect(new Glob("*a".repeat(32)).matches(`${"a".repeat(50_000)}b`)).toBe(false);
});
