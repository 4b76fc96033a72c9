import { randomUUID } from "node:crypto";
import type { TestAccount } from "./accounts.ts";
import { type Answer, ask } from "./ask.ts";

export const rulesPath = "/api/postern/v1/rules";
export const keysPath = "/api/postern/v1/keys";

/** A rule of all of a person's mail. */
export async function putRule(account: TestAccount, rule: unknown = {}, id: string = randomUUID()): Promise<Answer> {
  return account.ask("PUT", `${rulesPath}/${id}`, rule);
}

/** Asks in a session that has just begun. */
export function inSession(account: TestAccount, method: string, path: string, body?: unknown): Promise<Answer> {
  return ask({ method, path, headers: { authorization: `Bearer ${account.bearer}` }, body });
}
