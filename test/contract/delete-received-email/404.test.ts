import { beforeAll } from "@jest/globals";
import { browsableEmail, emailsPath } from "../support/emails.ts";
import { plainMessage } from "../support/messages.ts";
import { looksMissing } from "../support/missing.ts";
import { newcomer, type Person } from "../support/people.ts";

let anna: Person;
let foreignId: string;
beforeAll(async () => {
  anna = await newcomer("anna");
  foreignId = (await browsableEmail(await newcomer("bert"), plainMessage)).emailId;
});

looksMissing({
  who: () => anna,
  method: "DELETE",
  path: (id) => `${emailsPath}/${id}`,
  foreignId: () => foreignId,
  file: "mailbox",
});
