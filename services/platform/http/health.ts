import express, { type Response, type Router } from "express";
import type { Readiness, Waiting } from "../runtime/lifecycle.ts";
import { contentTypes, type ExpositionFormat } from "../telemetry/metrics.ts";

/** Given to each client that names it in Accept. Prometheus does, with parameters (version, escaping) that strict matching would not accept. */
const openMetricsType = "application/openmetrics-text";

/**
 * /healthz: the process lives. /readyz: it can do its work, or names what is not ready. /servingz: connections and calls may be led to it
 * (see Readiness). /metrics: Prometheus' text, or OpenMetrics, which has exemplars, for who asks for it.
 * @param expose what /metrics answers
 */
export function healthRoutes(readiness: Readiness, expose: (format: ExpositionFormat) => Promise<string>): Router {
  const router = express.Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => say(response, "ready", await readiness.waiting()));
  router.get("/servingz", async (_request, response) => say(response, "serving", await readiness.waitingToServe()));
  router.get("/metrics", async (request, response) => {
    const format = request.get("accept")?.includes(openMetricsType) ? "openmetrics" : "prometheus";
    response.setHeader("content-type", contentTypes[format]);
    response.send(await expose(format));
  });
  return router;
}

function say(response: Response, status: string, missing: readonly Waiting[]): void {
  if (missing.length === 0) response.json({ status });
  else response.status(503).json({ status: `not ${status}`, waiting: missing });
}
