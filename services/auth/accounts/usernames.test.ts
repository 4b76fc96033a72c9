import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { checkUsername, isAddress, isUsername, usernameKey } from "./usernames.ts";

test("how names compare does not depend on case or composition, and is its own key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const key = usernameKey(name);
      expect(usernameKey(key)).toBe(key);
      expect(usernameKey(name.normalize("NFD"))).toBe(key);
    }),
  );
  expect(usernameKey("ÅNGSTRÖM@Example.ORG")).toBe(usernameKey("a\u030angstro\u0308m@example.org"));
});

test("no username holds what PostgreSQL or a line of a log cannot take", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      if (isUsername(name))
        expect([...name].every((character) => character >= " " && character.isWellFormed())).toBe(true);
      else expect(() => checkUsername(name)).toThrow(expect.objectContaining({ kind: "ValidationFailed" }));
    }),
  );
});

test.each([
  ["jane@example.org", true],
  ["jane@sub.example.org", true],
  ["root", false],
  ["jane@localhost", false],
  ["jane@@example.org", false],
  ["@example.org", false],
  ["jane@example..org", false],
  ["jane doe@example.org", false],
])("%s is an address: %s", (name, is) => {
  expect(isAddress(name)).toBe(is);
});
