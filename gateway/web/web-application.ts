import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Request, type RequestHandler, Router } from "express";
import sirv from "sirv";
import { Outage } from "../../services/platform/errors.ts";
import { policies, setSecurityHeaders } from "./policies.ts";

interface WebApplicationOptions {
  publicUrl: string;
  /** Where mail comes in, as `smtp://host:port`, when it can be reached by nobody but who runs this; or null. */
  smtpUrl: string | null;
  /** Told that a person opens a page, which will ask the graph as soon as its scripts are there. */
  onPage?(): void;
  /** What `npm run build:web` made. */
  folder?: URL;
}

const builtFiles = new URL("../../web/dist/", import.meta.url);
/** The names of these change with their content. */
const immutablePaths = "/assets/";

/** Serves the built web application: its files, and index.html at every other path that a person opens. */
export function webApplication({ publicUrl, smtpUrl, onPage, folder = builtFiles }: WebApplicationOptions): Router {
  const router = Router();
  router.get("/smtp.json", (_request, response) => {
    response.setHeader("cache-control", "no-cache");
    response.json({ smtp: smtpUrl });
  });
  // Where password managers send who wants another password (W3C, A Well-Known URL for Changing Passwords).
  router.get("/.well-known/change-password", (_request, response) => response.redirect(302, "/settings#password"));
  const path = fileURLToPath(folder);
  // Looked for when asked, not at the start: the files may be built later than this process began.
  let files: RequestHandler | undefined;
  router.use((request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    if (isForPerson(request)) onPage?.();
    if (!files && existsSync(path)) files = staticFiles(path, publicUrl);
    if (files) return files(request, response, next);
    if (!isForPerson(request)) return next();
    throw new Outage("the web application", { public: "The web application is not built here: npm run build:web." });
  });
  return router;
}

/** A browser that opens a page says text/html; programs, and scripts of a page, do not. */
function isForPerson(request: Request): boolean {
  return request.headers.accept?.includes("text/html") ?? false;
}

function staticFiles(folder: string, publicUrl: string): RequestHandler {
  const policyOf = policies(publicUrl);
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: (response, path) => {
      const isImmutable = path.startsWith(immutablePaths);
      response.setHeader("cache-control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
      // The one type that sirv does not know.
      if (path.endsWith(".ico")) response.setHeader("content-type", "image/x-icon");
      setSecurityHeaders(response, policyOf(path));
    },
  });
  return (request, response, next) =>
    serve(request, response, () => {
      // What a program asks for and is not there is an error; where a person goes is for the application to say.
      if (!isForPerson(request) || request.path.startsWith(immutablePaths)) return next();
      request.url = "/";
      serve(request, response, next);
    });
}
