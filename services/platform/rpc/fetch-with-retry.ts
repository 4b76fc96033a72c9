import { isConnectionLost } from "../net/connection-lost.ts";
import type { Fetch } from "./tls-fetch.ts";

const restartMs = 250;

/**
 * Fetches. A peer that restarts refuses connections for a moment, and nothing was sent yet, so asking again is safe. One that is
 * replaced closes the connections that it has: then asking again is as safe as the question is.
 */
export async function fetchWithRetry(
  input: string,
  init: RequestInit,
  isSafe: boolean,
  send: Fetch = fetch,
): Promise<Response> {
  try {
    return await fetchStarted(input, init, send);
  } catch (error) {
    if (!isSafe || !isConnectionLost(causeOf(error))) throw error;
    return fetchStarted(input, init, send);
  }
}

async function fetchStarted(input: string, init: RequestInit, send: Fetch): Promise<Response> {
  try {
    return await send(input, init);
  } catch (error) {
    if (causeOf(error)?.code !== "ECONNREFUSED") throw error;
    await new Promise((resolve) => setTimeout(resolve, restartMs));
    return send(input, init);
  }
}

/** fetch itself says no more than that it failed. */
function causeOf(error: unknown): { code?: unknown } | undefined {
  return (error as { cause?: { code?: unknown } }).cause;
}
