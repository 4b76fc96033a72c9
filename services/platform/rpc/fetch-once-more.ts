import { isConnectionLost } from "../net/connection-lost.ts";

const restartMs = 250;

/**
 * Fetches. A peer that restarts refuses connections for a moment, and nothing was sent yet, so asking again is safe. One that is
 * replaced closes the connections that it has: then asking again is as safe as the question is.
 */
export async function fetchOnceMore(input: string, init: RequestInit, isSafe: boolean): Promise<Response> {
  try {
    return await fetchStarted(input, init);
  } catch (error) {
    if (!isSafe || !isConnectionLost(causeOf(error))) throw error;
    return fetchStarted(input, init);
  }
}

async function fetchStarted(input: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    if (causeOf(error)?.code !== "ECONNREFUSED") throw error;
    await new Promise((resolve) => setTimeout(resolve, restartMs));
    return fetch(input, init);
  }
}

/** fetch itself says no more than that it failed. */
function causeOf(error: unknown): { code?: unknown } | undefined {
  return (error as { cause?: { code?: unknown } }).cause;
}
