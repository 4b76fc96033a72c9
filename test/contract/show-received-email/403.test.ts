import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { changeBinding } from "../support/bindings.ts";
import { refusesForeignTokens } from "../support/credentials.ts";
import { errorDocument } from "../support/documents.ts";
import { browsableEmail, emailsPath } from "../support/emails.ts";
import { plainMessage } from "../support/messages.ts";

refusesForeignTokens({ method: "GET", path: `${emailsPath}/01890000-0000-7000-8000-000000000000` });

test("an email of an inbox that is no longer browsable; it is there again once that is", async () => {
  const anna = await newAccount("anna");
  const { emailId, binding } = await browsableEmail(anna, plainMessage);
  await changeBinding(anna, binding.id, { is_browsable: false });
  const { status, body } = await anna.ask("GET", `${emailsPath}/${emailId}`);
  expect(status).toBe(403);
  expect(body).toEqual(errorDocument("NotBrowsable", "mailbox"));
  await changeBinding(anna, binding.id, { is_browsable: true });
  expect((await anna.ask("GET", `${emailsPath}/${emailId}`)).status).toBe(200);
});
