import { randomBytes } from "node:crypto";
import { type Answer, ask, type Question } from "./ask.ts";
import { operator } from "./installation.ts";

/** An account that no other test of this run uses, signed in. */
export interface TestAccount {
  accountId: string;
  username: string;
  password: string;
  /** Both of the credentials. */
  bearer: string;
  token: string;
  /** Asks with the API token. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

const password = "what the owner alone knows";

/** An account that the operator has made, and that nobody has signed in to yet. */
export async function unusedAccount(
  name = "account",
): Promise<{ accountId: string; username: string; password: string }> {
  const username = `${name}-${randomBytes(6).toString("hex")}@example.org`;
  const { id } = await operator().addAccount({ username, password });
  return { accountId: id, username, password };
}

/** An account of its own, signed in. */
export async function newAccount(name?: string): Promise<TestAccount> {
  const account = await unusedAccount(name);
  const bearer = await bearerOf(account);
  const { body } = await ask({
    method: "GET",
    path: "/api/v1/api-token",
    headers: { authorization: `Bearer ${bearer}` },
  });
  const token = String(body["token"]);
  return {
    ...account,
    bearer,
    token,
    ask: (method, path, content) => ask({ method, path, headers: { token }, body: content }),
  };
}

export function signInBody(username: unknown, secret: unknown = password) {
  return { data: { type: "auth-request", attributes: { username, password: secret } } };
}

export const signInQuestion: Question = { method: "POST", path: "/api/v1/auth" };

/** Signs in, and gives the bearer token. */
export async function bearerOf(account: { username: string; password: string }): Promise<string> {
  const answer = await ask({ ...signInQuestion, body: signInBody(account.username, account.password) });
  return String(answer.body["data"]?.["attributes"]?.["token"]);
}

/** A bearer token of an account with a second factor that was not given for it, and what gives it. */
export async function withSecondFactor(): Promise<{
  accountId: string;
  bearer: string;
  token: string;
  recoveryCodes: string[];
}> {
  const { totp } = await import("./totp.ts");
  const owner = await newAccount("second-factor");
  const { accountId } = owner;
  const { secret } = await operator().beginSecondFactor({ accountId });
  const { recoveryCodes } = await operator().confirmSecondFactor({ accountId, code: totp(secret) });
  return { accountId, bearer: await bearerOf(owner), token: owner.token, recoveryCodes };
}

export const secondFactorPath = "/api/v1/2fa";

export function codeBody(code: unknown) {
  return { data: { type: "second-factor", attributes: { code } } };
}
