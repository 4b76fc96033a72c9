import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { expectRecorder, madeRecorder, recorderPath } from "../support/recorders.ts";
import { acceptsRequestVariants } from "../support/request-variants.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

acceptsRequestVariants(
  () => anna,
  () => ({ method: "POST", path: recorderPath }),
  expectRecorder,
);

test("each is another", async () => {
  const hashes = await Promise.all(Array.from({ length: 5 }, () => madeRecorder(anna)));
  expect(new Set(hashes).size).toBe(5);
});
