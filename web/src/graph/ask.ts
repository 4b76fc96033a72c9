import type { Operation } from "./operation.ts";
import { tellOtherTabs } from "./other-tabs.ts";
import { GraphRefusal } from "./refusal.ts";

/** What came, and what of it did not because one service is down. */
export interface Answer<Data> {
  readonly data: Data;
  /** Paths of fields that are null for want of their service, such as `receivedEmail.callback`. */
  readonly missing: readonly string[];
}

interface Reply {
  data?: Record<string, unknown> | null;
  errors?: readonly ReplyError[];
}

interface ReplyError {
  message: string;
  path?: readonly (string | number)[];
  extensions?: { code?: string; kind?: string; field?: string };
}

/**
 * Asks the graph: by the operation's hash first, and with its text where the server does not know that yet.
 * @throws GraphRefusal when a top-level field could not be had, a field takes a fresh proof, or no answer came at all
 */
export async function ask<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Answer<Data>> {
  const first = await send(operation, variables, false, signal);
  const isUnknown = first.errors?.some(({ extensions }) => extensions?.code === "PERSISTED_QUERY_NOT_FOUND") ?? false;
  const { data, errors = [] } = isUnknown ? await send(operation, variables, true, signal) : first;
  const fatal = errors.find(
    // A field that takes a fresh proof is no field that is missing: the person is asked for the proof.
    ({ path, extensions }) =>
      path === undefined || data?.[String(path[0])] == null || extensions?.kind === "FreshProofRequired",
  );
  if (fatal) throw refusalOf(fatal);
  if (operation.text.startsWith("mutation")) tellOtherTabs("changed");
  if (!data) throw new GraphRefusal("the answer has neither data nor errors", "ServerFailed");
  return { data: data as Data, missing: errors.map(({ path }) => path?.join(".") ?? "") };
}

function refusalOf({ message, path, extensions: { kind = "Internal", field: member } = {} }: ReplyError): GraphRefusal {
  return new GraphRefusal(message, kind, { field: path?.[0]?.toString(), member });
}

async function send(
  { name, hash, text }: Operation<unknown, never>,
  variables: unknown,
  isWithText: boolean,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ operationName: name, variables, extensions, ...(isWithText ? { query: text } : {}) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new GraphRefusal("no answer came", "Unreachable");
  });
  const reply: Reply | null = await response.json().catch(() => null);
  if (reply?.data || reply?.errors) return reply;
  if (response.status >= 500) throw new GraphRefusal(`the server answered ${response.status}`, "ServerFailed");
  // What answers in its place, such as a hotel's page to sign in at.
  throw new GraphRefusal("the answer is none of the graph's", "Unreachable");
}
