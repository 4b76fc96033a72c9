import { createHash } from "node:crypto";
import type { ErrorRequestHandler, RequestHandler } from "express";
import { asHttpRefusal } from "../../platform/http/http-refusals.ts";
import { report } from "../../platform/http/refuse.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { style } from "./look.ts";
import { failurePage } from "./pages.ts";

/** The one style sheet that these pages have (CSP Level 3, section 8.3). */
const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

/** The headers of a page whose path is a secret. */
export const secretPage: RequestHandler = (_request, response, next) => {
  response.setHeader(
    "content-security-policy",
    `default-src 'none'; style-src '${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  );
  response.setHeader("cache-control", "no-store");
  // The token in the path is the secret: it must not go on to anybody as a referrer.
  response.setHeader("referrer-policy", "no-referrer");
  response.type("html");
  next();
};

/** What went wrong, as a page. @param advice what to do about it */
export function failure(logger: Logger, advice: string): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const refusal = asHttpRefusal(error);
    report(refusal, request.method, { logger, service: "rest" });
    if (refusal.retryAfterS !== undefined) response.setHeader("retry-after", String(refusal.retryAfterS));
    response.status(refusal.status).send(failurePage(refusal.publicMessage, advice, refusal.id));
  };
}
