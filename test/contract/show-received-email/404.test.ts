import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { errorDocument } from "../support/documents.ts";
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
  method: "GET",
  path: (id) => `${emailsPath}/${id}`,
  foreignId: () => foreignId,
  file: "mailbox",
});

test("an email that was removed", async () => {
  const { emailId } = await browsableEmail(anna, plainMessage);
  expect((await anna.ask("DELETE", `${emailsPath}/${emailId}`)).status).toBe(204);
  const { status, body } = await anna.ask("GET", `${emailsPath}/${emailId}`);
  expect(status).toBe(404);
  expect(body).toEqual(errorDocument("NotFound", "mailbox"));
});
