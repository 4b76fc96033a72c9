import { setTimeout as delay } from "node:timers/promises";
import { call } from "./rest-client.ts";

export interface ApiRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** What a request came to in the end. */
export interface ApiOutcome {
  request: string;
  /** 0 when there was no answer. */
  status: number;
  text: string;
  retryAfterS: number | undefined;
}

interface ApiLoadOptions {
  url: string;
  /** Asked in turn. */
  requests: readonly ApiRequest[];
  /** What had no answer or a 503 is asked once more, when this resolves; what has a 503 then too, after its Retry-After, as a client does. */
  untilAgain?(): Promise<void>;
}

const restMs = 50;

/** Requests one after the other, until it is stopped. */
export class ApiLoad {
  readonly outcomes: ApiOutcome[] = [];
  /** Requests that had to be asked twice. */
  askedAgain = 0;
  /** Answers to the second request of those that had to be asked a third time. */
  readonly refusedTwice: ApiOutcome[] = [];
  readonly #options: ApiLoadOptions;
  readonly #asking: Promise<void>;
  #isStopping = false;

  constructor(options: ApiLoadOptions) {
    this.#options = options;
    this.#asking = this.#ask();
  }

  async stop(): Promise<readonly ApiOutcome[]> {
    this.#isStopping = true;
    await this.#asking;
    return this.outcomes;
  }

  async #ask(): Promise<void> {
    const { url, requests, untilAgain } = this.#options;
    for (let count = 0; !this.#isStopping; count++) {
      const request = requests[count % requests.length];
      if (!request) return;
      let outcome = await askOnce(url, request);
      if (untilAgain && (outcome.status === 0 || outcome.status === 503)) {
        this.askedAgain++;
        await untilAgain();
        outcome = await askOnce(url, request);
        if (outcome.status === 503) {
          this.refusedTwice.push(outcome);
          await delay((outcome.retryAfterS ?? 0) * 1_000);
          outcome = await askOnce(url, request);
        }
      }
      this.outcomes.push(outcome);
      await delay(restMs);
    }
  }
}

/** One request, and what came of it. */
export async function askOnce(url: string, { method, path, headers, body }: ApiRequest): Promise<ApiOutcome> {
  const request = `${method} ${path}`;
  try {
    const answer = await call(`${url}${path}`, method, body, headers);
    const retryAfter = answer.headers.get("retry-after");
    const retryAfterS = retryAfter === null ? undefined : Number(retryAfter);
    return { request, status: answer.status, text: answer.text, retryAfterS };
  } catch (error) {
    return { request, status: 0, text: String(error), retryAfterS: undefined };
  }
}
