import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { guardedRequest, type RequestOptions } from "./guarded-request.ts";

/** A target's response. */
export interface CallbackResponse {
  status: number;
  /** The Retry-After field as it came. */
  retryAfter: string | undefined;
  headers: IncomingHttpHeaders;
  /** The beginning of the response's body. */
  body: Buffer;
}

/** So much of a response is read, and for so long, that a well-behaved target is not cut off in mid-sentence. */
const drainLimitBytes = 64 * 1024;
const drainMs = 1_000;
/** So much of it can be looked at later. */
const keptBytes = 2_048;

/**
 * Posts to a URL that a user gave: only to addresses that were checked, following no redirect, through no proxy, reading
 * at most 64 KiB of the response. Resolves for every status code.
 * @throws AttemptFailure when no response came
 */
export async function post(
  url: string,
  headers: OutgoingHttpHeaders,
  body: readonly Buffer[],
  options: RequestOptions,
): Promise<CallbackResponse> {
  return guardedRequest(url, { method: "POST", headers, body }, options, async (response) => {
    const beginning = await drain(response);
    const { statusCode = 0, headers: fields } = response;
    return { status: statusCode, retryAfter: fields["retry-after"], headers: fields, body: beginning };
  });
}

/** Reads the rest of a response as far as it is small and quick, then hangs up. @returns its beginning, to be looked at later */
async function drain(response: IncomingMessage): Promise<Buffer> {
  const beginning: Buffer[] = [];
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  let sizeBytes = 0;
  response.on("data", (chunk: Buffer) => {
    if (sizeBytes < keptBytes) beginning.push(chunk.subarray(0, keptBytes - sizeBytes));
    sizeBytes += chunk.length;
    if (sizeBytes > drainLimitBytes) resolve();
  });
  for (const end of ["end", "error", "close"]) response.on(end, () => resolve());
  const timer = setTimeout(resolve, drainMs);
  await enough;
  clearTimeout(timer);
  response.destroy();
  return Buffer.concat(beginning);
}
