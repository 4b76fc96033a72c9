import type { IncomingMessage, ServerResponse } from "node:http";
import { errorCode } from "../errors.ts";
import { isConnectionLost } from "../net/connection-lost.ts";

/** What nginx logs for a client that closed its connection before it had the answer. */
const clientClosedRequest = 499;

/** What Node calls a stream that was given up because the other side of it went away. */
const givenUp: ReadonlySet<string> = new Set([
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_UNABLE_TO_PIPE",
  "ABORT_ERR",
]);

/** Whether an error only means that the client has closed its connection: there is no answer to send and no fault here. */
export function isClientAbort(error: unknown, request: IncomingMessage, response: ServerResponse): boolean {
  const isGone = request.socket.destroyed || (response.destroyed && !response.writableFinished);
  return isGone && causes(error).some((cause) => isConnectionLost(cause) || givenUp.has(errorCode(cause)));
}

/** The status that was answered, or 499 where the client did not wait for it. */
export function answeredStatus(response: ServerResponse): number {
  return response.writableFinished ? response.statusCode : clientClosedRequest;
}

function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
