import { beforeAll, describe, expect, test } from "@jest/globals";
import {
  codeBody,
  newAccount,
  secondFactorPath,
  signInBody,
  signInQuestion,
  type TestAccount,
} from "./support/accounts.ts";
import { ask } from "./support/ask.ts";
import { bindingBody, bindingsPath, madeBinding } from "./support/bindings.ts";
import { codings } from "./support/bodies.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

const bytes = (document: unknown) => Buffer.from(JSON.stringify(document));

describe.each(Object.entries(codings))("%s", (coding, code) => {
  const headers = { "content-encoding": coding };

  test("signing in, and a second factor", async () => {
    const signIn = { ...signInQuestion, headers, body: code(bytes(signInBody(anna.username, anna.password))) };
    expect((await ask(signIn)).status).toBe(200);
    const withBearer = { ...headers, authorization: `Bearer ${anna.bearer}` };
    const answer = await ask({
      method: "POST",
      path: secondFactorPath,
      headers: withBearer,
      body: code(bytes(codeBody("1"))),
    });
    // It was read: the account has no second factor.
    expect(answer.body["data"]?.["attributes"]?.["exception"]).toBe("SecondFactorNotEnabled");
  });

  test("making a binding, and changing it", async () => {
    const withToken = { ...headers, token: anna.token };
    const { id } = await madeBinding(anna);
    const description = `coded with ${coding}`;
    const body = code(bytes(bindingBody({ description })));
    for (const [method, path] of [
      ["POST", bindingsPath],
      ["PATCH", `${bindingsPath}/${id}`],
    ] as const) {
      const answer = await ask({ method, path, headers: withToken, body });
      expect(answer.body["data"]?.["attributes"]?.["description"]).toBe(description);
    }
  });
});

test("identity is no coding", async () => {
  const headers = { "content-encoding": "identity", token: anna.token };
  const answer = await ask({ method: "POST", path: bindingsPath, headers, body: bytes(bindingBody({})) });
  expect(answer.status).toBe(201);
});
