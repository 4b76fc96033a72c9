import { type Answer, graphError, read, restError } from "./answers.ts";
import { ApiError, ConnectionError, NotFoundError, TimeoutError } from "./errors.ts";
import { type GraphOperations, graphOperations } from "./gen/graph.ts";
import { type RestOperations, restOperations } from "./gen/rest.ts";
import { pause } from "./pause.ts";

export interface PosternOptions {
  /** Where Postern is, such as https://postern.example. */
  url: string;
  /** An API key (`psk_…`) or the account's API token. */
  key?: string | undefined;
  /** In place of a key: a bearer token, as `Postern.signIn` gets it. What makes API keys needs one. */
  bearer?: string | undefined;
  /** How long one request may take, in milliseconds; 30,000 unless given. */
  timeoutMs?: number | undefined;
  /** How often what may be repeated is tried again; 2 unless given. */
  retries?: number | undefined;
  /** In place of the platform's own. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

interface Behaviour extends CallOptions {
  /** Asked twice it does no more than once: it is tried again where no answer came. Otherwise by the method. */
  isRepeatable?: boolean | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

type Part<K extends string, T> = T extends undefined
  ? { [member in K]?: undefined }
  : Record<never, never> extends T
    ? { [member in K]?: T }
    : { [member in K]: T };
type Name = keyof RestOperations;
type Input<N extends Name> = Part<"path", RestOperations[N]["path"]> &
  Part<"query", RestOperations[N]["query"]> &
  Part<"body", RestOperations[N]["body"]>;

/** Longer than that is left to the caller. */
const longestRetryAfterS = 30;
const repeatableMethods = ["GET", "PUT", "DELETE"];

/** Asks Postern: credentials, deadlines, repetitions, errors. */
export class Transport {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #fetch: typeof globalThis.fetch;

  constructor({ url, key, bearer, timeoutMs = 30_000, retries = 2, fetch = globalThis.fetch }: PosternOptions) {
    this.#url = new URL(url).href.replace(/\/+$/, "");
    this.#headers = { ...(key ? { token: key } : {}), ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) };
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
    // Browsers want it called as a function of the window.
    this.#fetch = (input, init) => fetch(input, init);
  }

  /** One operation of /openapi.json. @throws ApiError, ConnectionError */
  async rest<N extends Name>(
    name: N,
    input: Input<N>,
    behaviour: Behaviour = {},
  ): Promise<RestOperations[N]["answer"]> {
    const { method, path } = restOperations[name];
    const given = input as { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
    const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(given.path?.[part] ?? ""));
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(given.query ?? {}))
      if (value !== undefined) query.set(key, String(value));
    const target = query.size > 0 ? `${filled}?${query}` : filled;
    const isRepeatable = behaviour.isRepeatable ?? repeatableMethods.includes(method);
    const answer = await this.#repeated({ ...behaviour, isRepeatable }, async (attempt) => {
      const answer = await this.#once(method, target, given.body, behaviour);
      if (answer.status < 300) return answer;
      const error = restError(answer);
      // What was to be removed and is gone was removed by the attempt before.
      if (method === "DELETE" && attempt > 0 && error instanceof NotFoundError) return { ...answer, body: undefined };
      throw error;
    });
    return answer.body as RestOperations[N]["answer"];
  }

  /** One operation of the graph. @throws ApiError, ConnectionError */
  async graph<N extends keyof GraphOperations>(
    name: N,
    variables: GraphOperations[N]["variables"],
    behaviour: Behaviour = {},
  ): Promise<GraphOperations[N]["data"]> {
    const { text: query, isMutation } = graphOperations[name];
    const isRepeatable = behaviour.isRepeatable ?? !isMutation;
    const answer = await this.#repeated({ ...behaviour, isRepeatable }, async () => {
      const answer = await this.#once("POST", "/graphql", { query, variables }, behaviour);
      const error = graphError(answer);
      if (error) throw error;
      return answer;
    });
    return (answer.body as { data: GraphOperations[N]["data"] }).data;
  }

  /** A stream of an answer's bytes, for what does not end by itself. @throws ApiError, ConnectionError */
  async stream(path: string, accept: string, { signal }: CallOptions): Promise<ReadableStream<Uint8Array>> {
    const init = { headers: { ...this.#headers, accept }, redirect: "error" as const, signal: signal ?? null };
    const response = await this.#fetch(`${this.#url}${path}`, init).catch((error: unknown) => {
      throw noAnswer(error, signal);
    });
    if (!response.ok || !response.body) throw restError(await read(response));
    return response.body;
  }

  async #repeated(behaviour: Behaviour, attempt: (number: number) => Promise<Answer>): Promise<Answer> {
    const retries = behaviour.retries ?? this.#retries;
    for (let number = 0; ; number += 1) {
      try {
        return await attempt(number);
      } catch (error) {
        const delayMs = number < retries ? delayBefore(error, number, behaviour.isRepeatable ?? false) : undefined;
        if (delayMs === undefined) throw error;
        await pause(delayMs, behaviour.signal);
      }
    }
  }

  async #once(method: string, path: string, body: unknown, { timeoutMs, signal, headers }: Behaviour): Promise<Answer> {
    const timeout = AbortSignal.timeout(timeoutMs ?? this.#timeoutMs);
    try {
      const response = await this.#fetch(`${this.#url}${path}`, {
        method,
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...this.#headers,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // Else the key would go along to wherever that leads.
        redirect: "error",
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      });
      return await read(response);
    } catch (error) {
      throw noAnswer(error, signal, timeout);
    }
  }
}

/** The error of a request without an answer; what the caller's signal ended ends with that signal's reason. */
function noAnswer(error: unknown, signal: AbortSignal | undefined, timeout?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (timeout?.aborted) return new TimeoutError("Postern did not answer in time.", { cause: error });
  return new ConnectionError("Postern cannot be reached.", { cause: error });
}

/** In how many milliseconds to try again; undefined where that is not safe, or no use. */
export function delayBefore(error: unknown, number: number, isRepeatable: boolean): number | undefined {
  const backoffMs = 250 * 2 ** number * (0.5 + Math.random());
  if (error instanceof ConnectionError) return isRepeatable ? backoffMs : undefined;
  if (!(error instanceof ApiError)) return undefined;
  // 429 was refused before anything was done; 5xx may come after it.
  const isSafe = error.status === 429 || (isRepeatable && [502, 503, 504].includes(error.status));
  if (!isSafe || (error.retryAfterS ?? 0) > longestRetryAfterS) return undefined;
  return Math.max(backoffMs, (error.retryAfterS ?? 0) * 1_000);
}
