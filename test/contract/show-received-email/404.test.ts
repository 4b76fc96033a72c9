import { beforeAll, expect, test } from "@jest/globals";
import { errorDocument } from "../support/documents.ts";
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
