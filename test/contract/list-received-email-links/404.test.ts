import { beforeAll } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { madeBinding } from "../support/bindings.ts";
import { linksPath } from "../support/emails.ts";
import { expectNotFound } from "../support/expect-not-found.ts";

let anna: TestAccount;
let foreignId: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  foreignId = (await madeBinding(await newAccount("bert"), { is_browsable: true })).id;
});

expectNotFound({
  who: () => anna,
  method: "GET",
  path: (id) => `${linksPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
