import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { browsableEmail, emailsPath, linksPath, received } from "../support/emails.ts";
import { plainMessage } from "../support/messages.ts";

test("a removed email is gone, the others stay; there is no document", async () => {
  const anna = await newAccount("anna");
  const { emailId, binding } = await browsableEmail(anna, plainMessage);
  const kept = await received(anna, binding, plainMessage);
  const headers = { authorization: `Bearer ${anna.bearer}`, "content-type": "application/json" };
  const answer = await ask({ method: "DELETE", path: `${emailsPath}/${emailId}`, headers, body: "[]" });
  expect(answer.status).toBe(204);
  expect(answer.text).toBe("");
  expect(answer.headers["content-type"]).toBeUndefined();
  const { body } = await anna.ask("GET", `${linksPath}/${binding.id}`);
  expect(Object.values(body["data"] ?? {}).map((each) => each?.["id"])).toEqual([kept.emailId]);
  expect((await anna.ask("DELETE", `${emailsPath}/${emailId}`)).status).toBe(404);
});
