import type { IncomingMessage, ServerResponse } from "node:http";
import { faultOf, type ServiceError } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { annotate } from "../telemetry/spans.ts";
import { isClientAbort } from "./client-abort.ts";
import { drain } from "./drain.ts";
import { type ErrorDocument, errorDocument } from "./error-document.ts";
import { contentCodings } from "./read-body.ts";

export interface RefusalContext {
  logger: Logger;
  /** Who refuses, where the refusal does not say it itself. */
  service: string;
  /** What stands in every answer, errors below HTTP's own handlers included. */
  headers?: Readonly<Record<string, string>>;
  /** For an interface whose errors have more members, or other statuses: what is answered in place of the contract's document. */
  worded?(document: ErrorDocument, refusal: ServiceError): { status: number; document: object };
}

/** Puts a refusal into the logs and the trace, under the id that its answer shows. */
export function report(refusal: ServiceError, method: string | undefined, { logger }: RefusalContext): void {
  const { id, kind, status, message } = refusal;
  const entry = { id, kind, status, method };
  annotate({ "postern.error.id": id, "error.type": kind });
  if (status >= 500) logger.error({ ...entry, reason: message, err: faultOf(refusal) }, "request failed");
  else logger.info({ ...entry, reason: message }, "request refused");
}

/** The one way in which an error becomes an answer: in the contract's shape, and found again by its id. */
export async function refuse(
  refusal: ServiceError,
  request: IncomingMessage,
  response: ServerResponse,
  refusing: RefusalContext,
): Promise<void> {
  if (isClientAbort(refusal, request, response)) {
    refusing.logger.debug({ method: request.method }, "the client closed its connection before it had the answer");
    response.destroy();
    return;
  }
  report(refusal, request.method, refusing);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (!(await drain(request))) response.setHeader("connection", "close");
  if (refusal.retryAfterS !== undefined) response.setHeader("retry-after", String(refusal.retryAfterS));
  const own = { status: refusal.status, document: errorDocument(refusal, refusing.service) };
  const { status, document } = refusing.worded?.(own.document, refusal) ?? own;
  if (status === 401) response.setHeader("www-authenticate", "Bearer");
  if (refusal.status === 415) response.setHeader("accept-encoding", contentCodings.join(", "));
  const body = JSON.stringify(document);
  response
    .writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
}
