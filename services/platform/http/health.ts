import express, { type Router } from "express";
import type { Waiting } from "../runtime/lifecycle.ts";
import { contentTypes, type ExpositionFormat } from "../telemetry/metrics.ts";

/** Who names it takes it. Prometheus does, with parameters (version, escaping) that matching by Accept's rules would trip over. */
const openMetricsType = "application/openmetrics-text";

/**
 * /healthz: the process lives. /readyz: it can do its work, or names what is not ready. /metrics: Prometheus' text,
 * or OpenMetrics, which has exemplars, for who asks for it.
 * @param expose what /metrics answers
 */
export function healthRoutes(
  waiting: () => Promise<Waiting[]>,
  expose: (format: ExpositionFormat) => Promise<string>,
): Router {
  const router = express.Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const missing = await waiting();
    response
      .status(missing.length === 0 ? 200 : 503)
      .json(missing.length === 0 ? { status: "ready" } : { status: "not ready", waiting: missing });
  });
  router.get("/metrics", async (request, response) => {
    const format = request.get("accept")?.includes(openMetricsType) ? "openmetrics" : "prometheus";
    response.setHeader("content-type", contentTypes[format]);
    response.send(await expose(format));
  });
  return router;
}
