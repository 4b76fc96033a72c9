import { beforeAll, expect, test } from "@jest/globals";
import { bearerOf, newAccount, unusedAccount, withSecondFactor } from "./accounts.ts";
import { type Answer, ask, type Question } from "./ask.ts";
import { errorDocument } from "./documents.ts";
import { operator } from "./installation.ts";
import { titled } from "./titles.ts";

// What every endpoint that asks for credentials answers to those that are not good: once for all of them.

const dayMs = 86_400_000;

/** Of the right form, and nobody's. */
const unknownToken = `pst_${"A".repeat(43)}`;

function expectUnauthorized(answer: Answer, exception: string, file: string): void {
  expect(answer.status).toBe(401);
  expect(answer.body).toEqual(errorDocument(exception, file));
  expect(answer.headers["www-authenticate"]).toBe("Bearer");
}

/** Declares the tests of 401 for an endpoint that takes a bearer token. */
export function refusesWithoutCredentials(question: Question): void {
  const withAuthorization = (authorization: string) => ask({ ...question, headers: { authorization } });

  test.each([
    ["no header", {}],
    ["an empty Token", { Token: "" }],
    ["an empty Authorization", { Authorization: "" }],
  ])("%s", async (_name, headers) => {
    expectUnauthorized(await ask({ ...question, headers }), "CredentialsMissing", "rest");
  });

  test.each(["Basic b3duZXI6cGFzc3dvcmQ=", "Bearer", "Bearer ", "bearer", "Token abc", "Bearer a b", "xyz"])(
    "Authorization: %s holds no bearer token",
    async (authorization) => expectUnauthorized(await withAuthorization(authorization), "BearerTokenInvalid", "rest"),
  );

  test.each([
    "x",
    "a.b.c",
    "....",
    "pst_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "' or 1=1 --",
    "x".repeat(8_000),
  ])("a bearer token that is none: %.50s", async (token) => {
    const answer = await withAuthorization(`Bearer ${token}`);
    expectUnauthorized(answer, "BearerTokenInvalid", token.includes(" ") ? "rest" : "auth");
  });

  test("a bearer token that has expired, was changed, is unsigned, or was revoked with its account", async () => {
    const account = await unusedAccount();
    const longAgo = await operator(Date.now() - 31 * dayMs).signIn({ ...account, clientAddress: "192.0.2.1" });
    const [head = "", claims = "", signature = ""] = (await bearerOf(account)).split(".");
    const changed = Buffer.from(claims, "base64url")
      .toString()
      .replace(/"exp":\d+/, '"exp":9999999999');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
    const forgeries = [
      longAgo.token,
      `${head}.${Buffer.from(changed).toString("base64url")}.${signature}`,
      `${unsigned}.${claims}.`,
    ];
    for (const token of forgeries)
      expectUnauthorized(await withAuthorization(`Bearer ${token}`), "BearerTokenInvalid", "auth");
    await operator().disableAccount({ username: account.username });
    const orphaned = await withAuthorization(`Bearer ${head}.${claims}.${signature}`);
    expectUnauthorized(orphaned, "BearerTokenInvalid", "auth");
  });
}

/** Declares the tests of 403 for an endpoint that takes the Token header or a bearer token. */
export function refusesForeignTokens(question: Question): void {
  const withToken = (token: string) => ask({ ...question, headers: { Token: token } });

  test.each(titled(["x", unknownToken, "' or 1=1 --", "x".repeat(8_000), "a.b.c"]))(
    "a Token that nobody has: %s",
    async (_title, token) => {
      const answer = await withToken(token);
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(errorDocument("TokenNotFound", "auth", "Token not found"));
    },
  );

  test("a Token that was replaced by another, and one of a disabled account", async () => {
    const owner = await newAccount();
    const { token } = await operator().rotateApiToken({ accountId: owner.accountId });
    const replaced = await withToken(owner.token);
    await operator().disableAccount({ username: owner.username });
    for (const answer of [replaced, await withToken(token)]) {
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(errorDocument("TokenNotFound", "auth", "Token not found"));
    }
  });

  refusesWithoutSecondFactor(question, "rest");
}

/** Declares the test of 403 for a bearer token that lacks its account's second factor. */
export function refusesWithoutSecondFactor(question: Question, file: string): void {
  let bearer: string;
  beforeAll(async () => {
    bearer = (await withSecondFactor()).bearer;
  });

  test("a bearer token without the second factor that its account has", async () => {
    const answer = await ask({ ...question, headers: { authorization: `Bearer ${bearer}` } });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(errorDocument("SecondFactorRequired", file));
  });
}
