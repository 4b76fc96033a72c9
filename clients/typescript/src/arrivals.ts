import { ApiError, ConnectionError, PosternError } from "./errors.ts";
import { pause } from "./pause.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Mail that can be read from now on. */
export interface Arrival {
  addressId: string;
  emailId: string;
}

const longestPauseMs = 30_000;

/**
 * Each email of the account as it comes, until the signal ends it. What comes while the connection is broken is not repeated. It goes on
 * by itself after a broken connection. Scope: mail:read. @throws ApiError that asking again does not mend
 */
export async function* arrivals(transport: Transport, { signal }: CallOptions = {}): AsyncIterableIterator<Arrival> {
  for (let failures = 0; ; ) {
    try {
      for await (const line of lines(await transport.stream("/events", "text/event-stream", { signal }))) {
        failures = 0;
        if (!line.startsWith("data: ")) continue;
        const { bindingId, emailId } = JSON.parse(line.slice("data: ".length)) as {
          bindingId: string;
          emailId: string;
        };
        yield { addressId: bindingId, emailId };
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!isPassing(error)) throw error;
      failures += 1;
    }
    await pause(Math.min(longestPauseMs, 250 * 2 ** failures), signal);
  }
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
