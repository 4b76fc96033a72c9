import { ApiError, ConnectionError, PosternError } from "./errors.ts";
import { type AccountEvent, events } from "./events.ts";
import { pause } from "./pause.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Mail that has come. */
export interface Arrival {
  addressId: string;
  emailId: string;
}

interface ArrivalOptions extends CallOptions {
  /** Some of what came is no longer known: the connection was broken for too long. */
  onLoss?: (() => void) | undefined;
}

const longestPauseMs = 30_000;
/** So many events the service keeps of an account: it can tell no more of them again. */
const maxTold = 20_000;

/**
 * Each email of the account that comes from now on, once, in the order of the account's events, until the signal ends it. A broken
 * connection it makes again by itself, and goes on with what came meanwhile. Scope: mail:read. @throws ApiError that asking again does
 * not mend
 */
export async function* arrivals(
  transport: Transport,
  { signal, onLoss }: ArrivalOptions = {},
): AsyncIterableIterator<Arrival> {
  const read = new Arrivals(transport, await persistently(() => lastEvent(transport, signal), signal), {
    signal,
    onLoss,
  });
  for (let failures = 0; ; ) {
    try {
      let isOpen = false;
      for await (const line of lines(await transport.stream("/events", "text/event-stream", { signal }))) {
        // The stream tells when to ask. Its first line comes once it is open: what came before that is asked for then.
        if (!isOpen || line.startsWith("data: ")) yield* read.more();
        isOpen = true;
        failures = 0;
      }
    } catch (error) {
      if (signal?.aborted || !isPassing(error)) throw error;
      failures += 1;
    }
    await pause(pauseMs(failures), signal);
  }
}

/** The emails in the account's events after a position that moves on. */
class Arrivals {
  readonly #transport: Transport;
  readonly #options: ArrivalOptions;
  /** When the event before the first one happened: nothing earlier is told. */
  readonly #sinceAt: string;
  #cursor: string | undefined;
  /** Events after the cursor are gone: those that are kept are read from the first one, of which many were before. */
  #isAnew: boolean;
  readonly #told = new Set<string>();

  constructor(transport: Transport, last: AccountEvent | undefined, options: ArrivalOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#sinceAt = last?.at ?? "";
    this.#cursor = last?.cursor;
    this.#isAnew = last === undefined;
  }

  async *more(): AsyncIterableIterator<Arrival> {
    try {
      yield* this.#read();
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== "Gone") throw error;
      this.#options.onLoss?.();
      this.#cursor = undefined;
      this.#isAnew = true;
      yield* this.#read();
    }
  }

  async *#read(): AsyncIterableIterator<Arrival> {
    for await (const event of events(this.#transport, this.#cursor, { signal: this.#options.signal })) {
      this.#cursor = event.cursor;
      const { kind, emailId, bindingId, at } = event;
      if (kind !== "email.arrived" || emailId === null || bindingId === null) continue;
      if (this.#told.has(emailId) || (this.#isAnew && at < this.#sinceAt)) continue;
      this.#remember(emailId);
      yield { addressId: bindingId, emailId };
    }
  }

  #remember(emailId: string): void {
    this.#told.add(emailId);
    const [oldest] = this.#told;
    if (this.#told.size > maxTold && oldest !== undefined) this.#told.delete(oldest);
  }
}

async function lastEvent(transport: Transport, signal: AbortSignal | undefined): Promise<AccountEvent | undefined> {
  let last: AccountEvent | undefined;
  for await (const event of events(transport, undefined, { signal })) last = event;
  return last;
}

/** Does it again for as long as it fails for a reason that passes. */
export async function persistently<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await act();
    } catch (error) {
      // A fault of one email's own is none that passes: all others would wait behind it.
      const isFault = error instanceof ApiError && error.status === 500;
      if (signal?.aborted || isFault || !isPassing(error)) throw error;
      await pause(pauseMs(failures), signal);
    }
  }
}

function pauseMs(failures: number): number {
  return Math.min(longestPauseMs, 250 * 2 ** failures);
}

/** A connection that broke off, or a service that will be there again. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  // What reading a broken stream throws is the platform's own.
  return !(error instanceof PosternError) && !(error instanceof SyntaxError);
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncIterableIterator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const found = `${rest}${part.value}`.split(/\r?\n/);
      rest = found.pop() ?? "";
      yield* found;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
