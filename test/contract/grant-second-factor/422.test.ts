import { beforeAll, expect, test } from "@jest/globals";
import { codeBody, newAccount, secondFactorPath, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";
import { naming, titledMembers } from "../support/titles.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount();
});

test.each(
  titledMembers<unknown>([
    ["body", [123456]],
    ["data", {}],
    ["data.type", { data: { type: "2fa", attributes: { code: "123456" } } }],
    ["data.attributes", { data: { type: "second-factor", code: "123456" } }],
    ["data.attributes.code", { data: { type: "second-factor", attributes: {} } }],
    ["data.attributes.code", codeBody(123456)],
    ["data.attributes.code", codeBody(null)],
    ["data.attributes.code", codeBody(["123456"])],
    ["data.attributes.code", codeBody("123\u0000456")],
  ]),
)("%s", async (_title, member, given) => {
  const headers = { authorization: `Bearer ${anna.bearer}` };
  const { status, body } = await ask({ method: "POST", path: secondFactorPath, headers, body: JSON.stringify(given) });
  expect(status).toBe(422);
  expect(body).toEqual(errorDocument("ValidationFailed", "rest", naming(member)));
});
