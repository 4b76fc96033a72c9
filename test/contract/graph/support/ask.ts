import { expect } from "@jest/globals";
import { graphInstallation } from "./installation.ts";

/** JSON from outside, looked into by tests. */
export interface Json {
  readonly [member: string]: Json;
}

interface GraphError {
  message: string;
  path?: (string | number)[];
  extensions: { code: string; kind: string; id: string; service: string; field?: string; retryAfterS?: number };
}

export interface GraphAnswer {
  status: number;
  headers: Headers;
  text: string;
  data: Json;
  errors: GraphError[];
}

export type Variables = Readonly<Record<string, unknown>>;

/** Asks the graph, with whatever headers. */
export async function ask(
  query: string,
  variables: Variables = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphAnswer> {
  return post({ query, variables }, headers);
}

/** The same with a body of any kind. A string goes as it is. */
export async function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<GraphAnswer> {
  const { url } = await graphInstallation();
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return answerOf(response);
}

export async function answerOf(response: Response): Promise<GraphAnswer> {
  const text = await response.text();
  const { data = null, errors = [] } = text === "" ? {} : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, data, errors };
}

/** An answer without errors. */
export async function answered(answer: GraphAnswer | Promise<GraphAnswer>): Promise<Json> {
  const { data, errors } = await answer;
  expect(errors).toEqual([]);
  return data;
}

const idPattern = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** An answer with one error, of this kind; nothing of how the service is made in it. */
export async function refused(
  answer: GraphAnswer | Promise<GraphAnswer>,
  code: string,
  kind: string,
): Promise<GraphError> {
  const { errors, text } = await answer;
  expect(errors).toHaveLength(1);
  const [error] = errors as [GraphError];
  expect(error.extensions).toMatchObject({
    code,
    kind,
    id: expect.stringMatching(idPattern),
    service: expect.any(String),
  });
  expect(text).not.toMatch(/stacktrace|node_modules|\.ts\b|call stack|data\.attributes/);
  return error;
}
