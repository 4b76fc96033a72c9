const restartMs = 250;

/** Codes of a connection that was lost, as Node and undici give them: its process may have gone while the request was on its way. */
const lost: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/**
 * Fetches. A peer that restarts refuses connections for a moment, and nothing was sent yet, so asking again is safe. One that is
 * replaced closes the connections that it has: then asking again is as safe as the question is.
 */
export async function fetchOnceMore(input: string, init: RequestInit, isSafe: boolean): Promise<Response> {
  try {
    return await fetchStarted(input, init);
  } catch (error) {
    if (!isSafe || !lost.has(codeOf(error))) throw error;
    return fetchStarted(input, init);
  }
}

async function fetchStarted(input: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    if (codeOf(error) !== "ECONNREFUSED") throw error;
    await new Promise((resolve) => setTimeout(resolve, restartMs));
    return fetch(input, init);
  }
}

function codeOf(error: unknown): unknown {
  return (error as { cause?: { code?: unknown } }).cause?.code;
}
