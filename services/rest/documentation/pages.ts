import { createRequire } from "node:module";
import { dirname } from "node:path";
import express, { type RequestHandler, type Router } from "express";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { guidePages } from "./guide.ts";
import { openApiDocument } from "./openapi.ts";

const assets = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postern's REST API</title>
<link rel="icon" href="/postern.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, persistAuthorization: false, tryItOutEnabled: true });
`;

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
