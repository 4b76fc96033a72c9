import { expect, test } from "@jest/globals";
import { Refusal } from "../../services/platform/errors.ts";
import { Turns } from "./turns.ts";

test("whoever asks much waits for itself, and no other for it", () => {
  const turns = new Turns<string>();
  for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) turns.add(item.charAt(0), item);
  const order = Array.from({ length: 7 }, () => turns.next());
  expect(order).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", undefined]);
});

test("more than 200 of one asker are refused, and others' are not", () => {
  const turns = new Turns<number>();
  for (let item = 0; item < 200; item++) turns.add("a", item);
  expect(() => turns.add("a", 200)).toThrow(Refusal);
  turns.add("b", 0);
  turns.next();
  turns.add("a", 200);
});
