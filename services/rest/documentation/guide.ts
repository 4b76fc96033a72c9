import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RequestHandler } from "express";
import sirv from "sirv";

const builtFiles = new URL("../../../docs/dist/", import.meta.url);

/** Its own files and nothing else, and nothing inside the page (W3C CSP Level 3). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the pages that `npm run build:docs` made of docs/; what is not there goes on to the next handler. */
export function guidePages(folder: URL = builtFiles): RequestHandler {
  const path = fileURLToPath(folder);
  // Looked for when asked, not at the start: the pages may be built later than this process began.
  let files: RequestHandler | undefined;
  return (request, response, next) => {
    if (!files && existsSync(path)) files = staticPages(path);
    if (!files) return next();
    return files(request, response, next);
  };
}

function staticPages(folder: string): RequestHandler {
  return sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: (response) => {
      response.setHeader("cache-control", "no-cache");
      response.setHeader("content-security-policy", policy);
      response.setHeader("x-content-type-options", "nosniff");
      response.setHeader("referrer-policy", "no-referrer");
      response.setHeader("cross-origin-opener-policy", "same-origin");
    },
  });
}
