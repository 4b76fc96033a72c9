import { beforeAll, expect, test } from "@jest/globals";
import { newcomer, type Person } from "../support/people.ts";
import { expectRecorder, madeRecorder, recorderPath } from "../support/recorders.ts";
import { answersHoweverAsked } from "../support/sloppy.ts";

let anna: Person;
beforeAll(async () => {
  anna = await newcomer("anna");
});

answersHoweverAsked(
  () => anna,
  () => ({ method: "POST", path: recorderPath }),
  expectRecorder,
);

test("each is another", async () => {
  const hashes = await Promise.all(Array.from({ length: 5 }, () => madeRecorder(anna)));
  expect(new Set(hashes).size).toBe(5);
});
