import { expect, test } from "@jest/globals";
import { Refusal } from "../../services/platform/errors.ts";
import { FairQueue } from "./fair-queue.ts";

test("whoever asks much waits for itself, and no other for it", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.add(item.charAt(0), item);
  const order = Array.from({ length: 7 }, () => queue.next());
  expect(order).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", undefined]);
});

test("more than 200 of one asker are refused, and others' are not", () => {
  const queue = new FairQueue<number>();
  for (let item = 0; item < 200; item++) queue.add("a", item);
  expect(() => queue.add("a", 200)).toThrow(Refusal);
  queue.add("b", 0);
  queue.next();
  queue.add("a", 200);
});
