import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { attachmentLink } from "../support/attachments.ts";
import { errorDocument } from "../support/documents.ts";
import { emailsPath } from "../support/emails.ts";

test("an attachment whose email was removed", async () => {
  const anna = await newAccount("anna");
  const { emailId, path } = await attachmentLink(anna);
  expect((await anna.ask("DELETE", `${emailsPath}/${emailId}`)).status).toBe(204);
  const answer = await ask({ method: "GET", path });
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual(errorDocument("NotFound", "mailbox"));
});

test.each(["x", "-1", "1.5", "1e3", "9999999", "0x0", "%00"])("there is no attachment %s", async (index) => {
  const path = `/api/v1/attachments/01890000-0000-7000-8000-000000000000/${index}?expires=1&signature=x`;
  const answer = await ask({ method: "GET", path });
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual(errorDocument("NotFound", "rest"));
});
