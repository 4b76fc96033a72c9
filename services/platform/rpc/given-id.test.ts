import { expect, test } from "@jest/globals";
import { NIL } from "uuid";
import { newId } from "../ids.ts";
import { GivenId } from "./given-id.ts";

test("a UUID stays as it was given", () => {
  const id = newId();
  expect(GivenId.parse(id)).toBe(id);
  expect(GivenId.parse(id.toUpperCase())).toBe(id.toUpperCase());
});

test.each(["", "1", "nobody", "'", "\0", `${newId()}x`, "../x", "\ud800"])("%j is the id of nothing", (given) => {
  expect(GivenId.parse(given)).toBe(NIL);
});
