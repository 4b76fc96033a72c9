import { beforeAll } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { expectNotFound } from "../support/expect-not-found.ts";
import { madeRecorder, removalPath } from "../support/recorders.ts";

let anna: TestAccount;
let foreignId: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  foreignId = await madeRecorder(await newAccount("bert"));
});

expectNotFound({
  who: () => anna,
  method: "DELETE",
  path: (id) => `${removalPath}/${id}`,
  foreignId: () => foreignId,
  file: "webhook",
});
