import type { IncomingMessage } from "node:http";

/** The connection of a client that sends more than this after it was refused is closed. */
const drainLimitBytes = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of a request before it is answered: a client that is still sending does not read the answer, and
 * loses it if the connection is closed meanwhile (RFC 9112 section 9.6).
 * @returns false when the rest is too much: then the connection is to be closed.
 */
export function drain(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return Promise.resolve(true);
  return new Promise((resolve) => {
    let passedBytes = 0;
    request.on("data", (chunk: Buffer) => {
      passedBytes += chunk.length;
      if (passedBytes > drainLimitBytes) resolve(false);
    });
    for (const end of ["end", "error", "close"]) request.once(end, () => resolve(true));
    request.resume();
  });
}
