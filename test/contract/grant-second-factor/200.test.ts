import { expect, test } from "@jest/globals";
import { codeBody, secondFactorPath, withSecondFactor } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { tokenDocument } from "../support/documents.ts";

test("a bearer token and a code become a bearer token that opens everything", async () => {
  const { accountId, bearer, token, recoveryCodes } = await withSecondFactor();
  const headers = { AUTHORIZATION: `bearer ${bearer}`, Token: "ignored" };
  const granted = await ask({ method: "POST", path: secondFactorPath, headers, body: codeBody(recoveryCodes[0]) });
  expect(granted.status).toBe(200);
  expect(granted.body).toEqual(tokenDocument(accountId, { granted: 1 }));
  const authorization = `Bearer ${granted.body["data"]?.["attributes"]?.["token"]}`;
  const shown = await ask({ method: "GET", path: "/api/v1/api-token", headers: { authorization } });
  expect(shown.body).toEqual({ token });
  expect((await ask({ method: "GET", path: "/api/v1/proxy-bindings", headers: { authorization } })).status).toBe(200);
});
