import type { IncomingMessage } from "node:http";

/** Whoever sends more than this in vain is not listened to any longer. */
const drainLimitBytes = 64 * 1024 * 1024;

/**
 * Lets pass by what is still to come of a request, before it is answered: a client that is busy sending reads no answer, and
 * to one whose connection is closed meanwhile the answer is lost (RFC 9112 section 9.6).
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
