import { beforeAll } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { browsableEmail, emailsPath } from "../support/emails.ts";
import { expectNotFound } from "../support/expect-not-found.ts";
import { plainMessage } from "../support/messages.ts";

let anna: TestAccount;
let foreignId: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  foreignId = (await browsableEmail(await newAccount("bert"), plainMessage)).emailId;
});

expectNotFound({
  who: () => anna,
  method: "DELETE",
  path: (id) => `${emailsPath}/${id}`,
  foreignId: () => foreignId,
  file: "mailbox",
});
