import { createHash } from "node:crypto";
import type { ErrorRequestHandler, RequestHandler } from "express";
import type { ErrorKind, ServiceError } from "../../platform/errors.ts";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { asHttpError } from "../../platform/http/http-refusals.ts";
import { report } from "../../platform/http/refuse.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { mark, style } from "./style.ts";
import type { Texts } from "./texts/english.ts";
import { textsFor } from "./texts/texts-for.ts";

export function page({ language }: Texts, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<div class="page">
<header>${mark}</header>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</div>
</body>
</html>
`;
}

/** Why a link does not work, what to do about it, and what finds it again in the logs. */
function failureMarkup(texts: Texts, { kind, publicMessage, id }: ServiceError, advice: string): string {
  const reference = `<p><small>${texts.reference(escapeHtml(id))}</small></p>`;
  const message = escapeHtml(texts.refusal(kind, publicMessage));
  return page(texts, texts.linkFails, `<p>${message}</p><p>${advice}</p>${reference}`);
}

/** What somebody else named, to stand out in a sentence. */
export function strong(text: string): string {
  return `<strong>${escapeHtml(text)}</strong>`;
}

/** The one style sheet that these pages have (CSP Level 3, section 8.3). */
const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

/** The headers of a page whose path is a secret. */
export const secretPageHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader(
    "content-security-policy",
    `default-src 'none'; style-src '${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  );
  response.setHeader("cache-control", "no-store");
  // The token in the path is the secret: it must not go on to anybody as a referrer.
  response.setHeader("referrer-policy", "no-referrer");
  response.type("html");
  response.vary("Accept-Language");
  next();
};

type Advice = Extract<keyof Texts, `${string}Advice`>;

/** What went wrong, as a page. @param advice which text says what to do about it @param adviceOf the same for some kinds of error */
export function linkFailure(
  logger: Logger,
  advice: Advice,
  adviceOf: Partial<Record<ErrorKind, Advice>> = {},
): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const refusal = asHttpError(error);
    report(refusal, request.method, { logger, service: "rest" });
    if (refusal.retryAfterS !== undefined) response.setHeader("retry-after", String(refusal.retryAfterS));
    const texts = textsFor(request);
    response.status(refusal.status).send(failureMarkup(texts, refusal, texts[adviceOf[refusal.kind] ?? advice]));
  };
}
