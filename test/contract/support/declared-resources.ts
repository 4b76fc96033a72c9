import { randomUUID } from "node:crypto";
import { type Answer, ask } from "./ask.ts";
import type { Person } from "./people.ts";

export const rulesPath = "/api/postern/v1/rules";
export const keysPath = "/api/postern/v1/keys";

/** A rule of all of a person's mail. */
export async function putRule(person: Person, rule: unknown = {}, id: string = randomUUID()): Promise<Answer> {
  return person.ask("PUT", `${rulesPath}/${id}`, rule);
}

/** Asks in a session that has just begun. */
export function inSession(person: Person, method: string, path: string, body?: unknown): Promise<Answer> {
  return ask({ method, path, headers: { authorization: `Bearer ${person.bearer}` }, body });
}
