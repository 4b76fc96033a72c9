import express, { type Router } from "express";
import type { Waiting } from "../runtime/lifecycle.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/**
 * /healthz: the process lives. /readyz: it can do its work, or names what is not ready. /metrics: Prometheus.
 * @param expose what /metrics answers
 */
export function healthRoutes(
  waiting: () => Promise<Waiting[]>,
  { contentType }: Pick<Metrics, "contentType">,
  expose: () => Promise<string>,
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
  router.get("/metrics", async (_request, response) => {
    response.setHeader("content-type", contentType);
    response.send(await expose());
  });
  return router;
}
