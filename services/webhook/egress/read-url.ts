import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { AttemptFailure } from "./failure.ts";
import { guardedRequest, type RequestOptions } from "./guarded-request.ts";

/** What was read of a URL. */
export interface ReadResponse {
  status: number;
  text: string;
}

const readLimitBytes = 1024 * 1024;

/**
 * Gets a URL that a user gave, under the rules of a guarded request. A text of 1 MiB at most, within the same time.
 * @throws AttemptFailure when no answer came, or one that is too long
 */
export function readUrl(url: string, headers: OutgoingHttpHeaders, options: RequestOptions): Promise<ReadResponse> {
  const asked = {
    ...headers,
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "postern-import",
  };
  return guardedRequest(url, { method: "GET", headers: asked, body: [] }, options, async (response, timedOut) => ({
    status: response.statusCode ?? 0,
    text: await Promise.race([readText(response), timedOut]),
  }));
}

async function readText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    sizeBytes += piece.length;
    if (sizeBytes > readLimitBytes) throw new AttemptFailure("The answer is too long.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
