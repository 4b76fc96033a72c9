import type { RequestHandler } from "express";
import type { Metrics } from "../telemetry/metrics.ts";
import { markFailed, SpanKind, traceHeaders, withExtractedContext, withSpan } from "../telemetry/spans.ts";
import { answeredStatus } from "./client-abort.ts";

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

/** Goes on with the caller's trace, for those behind who make their own span. */
export const inTrace: RequestHandler = (request, _response, next) => withExtractedContext(request.headers, next);

/**
 * A span over each request, to the last byte of its answer. Later handlers, in this process or behind a proxy, read it from
 * the request's headers. A path holds ids and tokens, so the name has none; the handler that knows the route names it in its
 * own span.
 * @param isBehindProxy a proxy of ours is in front: the trace in a request's headers is continued, and its sampling decision kept
 */
export function traced(isBehindProxy: boolean): RequestHandler {
  return (request, response, next) => {
    const { method, headers } = request;
    const asking = isBehindProxy ? { parent: headers } : { untrusted: headers };
    const options = { kind: SpanKind.SERVER, attributes: { "http.request.method": method }, ...asking };
    void withSpan(`HTTP ${method}`, options, async (span) => {
      for (const foreign of ["traceparent", "tracestate", "baggage"]) delete headers[foreign];
      Object.assign(headers, traceHeaders());
      next();
      await new Promise<void>((resolve) => response.once("close", resolve));
      const status = answeredStatus(response);
      span.setAttribute("http.response.status_code", status);
      if (status >= 500) markFailed(span);
    });
  };
}
