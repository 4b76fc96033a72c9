import { eventually } from "../../support/eventually.ts";
import type { Json } from "./ask.ts";
import type { Person } from "./people.ts";

export const importsPath = "/api/postern/v1/imports";

/** The first look at a file. @throws Error with the answer when it is not 201 */
export async function lookedAt(person: Person, content: string, source = "simplelogin"): Promise<Json> {
  const { status, text, body } = await person.ask("POST", importsPath, { source, content });
  if (status !== 201) throw new Error(`a dry run answered ${status}: ${text}`);
  return body["data"] ?? {};
}

export async function importRows(person: Person, id: unknown): Promise<Json[]> {
  const { body } = await person.ask("GET", `${importsPath}/${id}/rows`);
  return Object.values(body["data"] ?? {}) as Json[];
}

/** Starts it, and waits for its end. */
export async function made(person: Person, id: unknown, wish: object = {}): Promise<Json[]> {
  const { status, text } = await person.ask("POST", `${importsPath}/${id}/start`, wish);
  if (status !== 202) throw new Error(`starting answered ${status}: ${text}`);
  await eventually(async () => {
    const { body } = await person.ask("GET", `${importsPath}/${id}`);
    if (String(body["data"]?.["state"]) !== "done") throw new Error(`it is ${JSON.stringify(body["data"])}`);
  });
  return importRows(person, id);
}
