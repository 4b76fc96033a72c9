import { eventually } from "../../support/eventually.ts";
import type { TestAccount } from "./accounts.ts";
import type { Json } from "./ask.ts";

export const importsPath = "/api/postern/v1/imports";

/** The first look at a file. @throws Error with the answer when it is not 201 */
export async function lookedAt(account: TestAccount, content: string, source = "simplelogin"): Promise<Json> {
  const { status, text, body } = await account.ask("POST", importsPath, { source, content });
  if (status !== 201) throw new Error(`a dry run answered ${status}: ${text}`);
  return body["data"] ?? {};
}

export async function importRows(account: TestAccount, id: unknown): Promise<Json[]> {
  const { body } = await account.ask("GET", `${importsPath}/${id}/rows`);
  return Object.values(body["data"] ?? {}) as Json[];
}

/** Starts it, and waits for its end. */
export async function made(account: TestAccount, id: unknown, wish: object = {}): Promise<Json[]> {
  const { status, text } = await account.ask("POST", `${importsPath}/${id}/start`, wish);
  if (status !== 202) throw new Error(`starting answered ${status}: ${text}`);
  await eventually(async () => {
    const { body } = await account.ask("GET", `${importsPath}/${id}`);
    if (String(body["data"]?.["state"]) !== "done") throw new Error(`it is ${JSON.stringify(body["data"])}`);
  });
  return importRows(account, id);
}
