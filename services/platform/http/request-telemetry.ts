import type { IncomingMessage, ServerResponse } from "node:http";
import { propagation } from "@opentelemetry/api";
import type { RequestHandler } from "express";
import type { Metrics } from "../telemetry/metrics.ts";
import { SpanKind, setServerStatus, traceHeaders, withExtractedContext, withSpan } from "../telemetry/spans.ts";
import { callerHeaders } from "../telemetry/trace-context.ts";
import { answeredStatus } from "./client-abort.ts";

/** From a read that is cached to one that should have been given up. */
const durationBucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What a caller may say of its trace; OTEL_PROPAGATORS may name more. */
const foreignHeaders = ["traceparent", "tracestate", "baggage"];

/** Goes on with the caller's trace, for those behind who make their own span. */
export const inTrace: RequestHandler = (request, _response, next) => withExtractedContext(request.headers, next);

/**
 * A span over each request, to the last byte of its answer, and its time by method and status. Later handlers, in this process
 * or behind a proxy, read the trace from the request's headers. A path holds ids and tokens, so the name has none; the handler
 * that knows the route names it in its own span. Streams of events are not timed: they last as long as somebody listens.
 * @param isBehindProxy a proxy of ours is in front: the trace in a request's headers is continued, and its sampling decision kept
 */
export function traced(metrics: Metrics, isBehindProxy: boolean) {
  const duration = metrics.histogram(
    "postern_http_request_duration_seconds",
    "How long requests to the public HTTP port took, to the last byte of the answer",
    durationBucketsS,
    ["method", "status"],
  );
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { method = "GET", headers } = request;
    const startedAt = performance.now();
    const caller = callerHeaders(headers);
    const asking = isBehindProxy ? { parent: caller } : { untrusted: caller };
    const options = { kind: SpanKind.SERVER, attributes: { "http.request.method": method }, ...asking };
    void withSpan(`HTTP ${method}`, options, async (span) => {
      for (const foreign of [...foreignHeaders, ...propagation.fields()]) delete headers[foreign];
      Object.assign(headers, traceHeaders());
      next();
      await new Promise<void>((resolve) => response.once("close", resolve));
      const status = answeredStatus(response);
      setServerStatus(span, status);
      if (status >= 500) span.setAttribute("error.type", String(status));
      const isStream = String(response.getHeader("content-type")).startsWith("text/event-stream");
      if (!isStream) duration.observe((performance.now() - startedAt) / 1_000, { method, status });
    });
  };
}
