import type { RequestHandler } from "express";
import type { Metrics } from "../telemetry/metrics.ts";
import { answeredStatus } from "./hang-up.ts";

/** From a read that is cached to one that should have been given up. */
const durationBucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Times what passes through, by method and status; not streams of events, which last as long as somebody listens. */
export function measured(metrics: Metrics): RequestHandler {
  const duration = metrics.histogram(
    "postern_http_request_duration_seconds",
    "How long requests to the front door took, to the last byte of the answer",
    durationBucketsS,
    ["method", "status"],
  );
  return (request, response, next) => {
    const stop = duration.startTimer({ method: request.method });
    response.once("close", () => {
      const isStream = String(response.getHeader("content-type")).startsWith("text/event-stream");
      if (!isStream) stop({ status: answeredStatus(response) });
    });
    next();
  };
}
