const restartMs = 250;

/** Fetches; a peer that restarts refuses connections for a moment, and nothing was sent yet, so asking again is safe. */
export async function fetchOnceMore(input: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code;
    if (code !== "ECONNREFUSED") throw error;
    await new Promise((resolve) => setTimeout(resolve, restartMs));
    return fetch(input, init);
  }
}
