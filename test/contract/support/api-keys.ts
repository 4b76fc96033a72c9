import type { TestAccount } from "./accounts.ts";
import { type Answer, ask, askAt, type Json, type Question } from "./ask.ts";
import { contractInstallation } from "./installation.ts";

interface ApiKeyOptions {
  name?: string;
  scopes: readonly string[];
  domain?: string;
  targetIds?: readonly string[];
  expiresAt?: string;
}

export interface MadeKey {
  id: string;
  key: string;
  /** Asks REST with it in the Token header. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Asks the graph with whatever headers. */
export async function askGraph(
  query: string,
  variables: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<{ data: Json; kinds: unknown[] }> {
  const { url } = await contractInstallation();
  const type = { "content-type": "application/json" };
  const question: Question = {
    method: "POST",
    path: "/graphql",
    headers: { ...type, ...headers },
    body: { query, variables },
  };
  const { body } = await askAt(url, question);
  const errors = Object.values(body["errors"] ?? {});
  return { data: body["data"] ?? {}, kinds: errors.map((error) => error?.["extensions"]?.["kind"]) };
}

const create = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { key apiKey { id name scopes domain targetIds expiresAt lastUsedAt } }
}`;

/** What `createApiKey` answers to somebody who has just signed in. */
export function createKey(account: TestAccount, { name = "a key", ...wish }: ApiKeyOptions) {
  return askGraph(create, { input: { name, ...wish } }, { authorization: `Bearer ${account.bearer}` });
}

/** A key of a person. @throws Error when it is refused */
export async function madeKey(account: TestAccount, wish: ApiKeyOptions): Promise<MadeKey> {
  const { data, kinds } = await createKey(account, wish);
  const made = data["createApiKey"];
  if (!made) throw new Error(`createApiKey was refused: ${kinds.join(", ")}`);
  const key = String(made["key"]);
  return {
    key,
    id: String(made["apiKey"]?.["id"]),
    ask: (method, path, body) => ask({ method, path, headers: { token: key }, body }),
  };
}
