import { createRequire } from "node:module";
import { dirname } from "node:path";
import express, { type RequestHandler, type Router } from "express";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { page, start, style } from "./api-reference.ts";
import { guidePages } from "./guide.ts";
import { openApiDocument } from "./openapi.ts";

const assets = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** /openapi.json; /docs/api to read and try it; and under /docs the pages that say how to use and operate Postern. */
export function documentationRoutes(endpoints: readonly Endpoint[], publicUrl: string): Router {
  const document = openApiDocument(endpoints, publicUrl);
  const router = express.Router();
  router.get("/openapi.json", (_request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.json(document);
  });
  router.get("/docs/start.js", (_request, response) => {
    response.type("js").send(start);
  });
  router.get("/docs/api.css", (_request, response) => {
    response.type("css").send(style);
  });
  router.get("/docs/api", apiReference);
  router.all(["/openapi.json", "/docs", "/docs/api"], (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"], response);
    next();
  });
  router.use("/docs", guidePages());
  // Where the pages are not built.
  router.get("/docs", apiReference);
  router.use("/docs", express.static(assets, { index: false, maxAge: "1h" }));
  return router;
}

const apiReference: RequestHandler = (_request, response) => {
  response.setHeader(
    "content-security-policy",
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  );
  response.type("html").send(page);
};
