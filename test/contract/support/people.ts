import { randomBytes } from "node:crypto";
import { type Answer, ask, type Question } from "./ask.ts";
import { operator } from "./installation.ts";

/** Somebody with an account, whom nobody else in this run uses. */
export interface Person {
  accountId: string;
  username: string;
  password: string;
  /** Both of the credentials. */
  bearer: string;
  token: string;
  /** Asks with the API token. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

const password = "what the newcomer knows";

/** An account that the operator has made, and that nobody has signed in to yet. */
export async function strangerTo(
  name = "newcomer",
): Promise<{ accountId: string; username: string; password: string }> {
  const username = `${name}-${randomBytes(6).toString("hex")}@example.org`;
  const { id } = await operator().addAccount({ username, password });
  return { accountId: id, username, password };
}

/** An account of its own, signed in. */
export async function newcomer(name?: string): Promise<Person> {
  const account = await strangerTo(name);
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
  const person = await newcomer("second-factor");
  const { accountId } = person;
  const { secret } = await operator().beginSecondFactor({ accountId });
  const { recoveryCodes } = await operator().confirmSecondFactor({ accountId, code: totp(secret) });
  return { accountId, bearer: await bearerOf(person), token: person.token, recoveryCodes };
}

export const secondFactorPath = "/api/v1/2fa";

export function codeBody(code: unknown) {
  return { data: { type: "second-factor", attributes: { code } } };
}
