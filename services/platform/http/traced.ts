import type { RequestHandler } from "express";
import { inTraceOf, markFailed, SpanKind, traceHeaders, withSpan } from "../telemetry.ts";

/** Goes on with the caller's trace, for those behind who make their own span. */
export const inTrace: RequestHandler = (request, _response, next) => inTraceOf(request.headers, next);

/**
 * A span over each request, to the last byte of its answer. Whoever is behind, in whatever process, finds it in the request's
 * headers. A path holds ids and tokens: the name is without, and the span of whoever knows the route has it.
 */
export const traced: RequestHandler = (request, response, next) => {
  const attributes = { "http.request.method": request.method };
  const { headers } = request;
  void withSpan(`HTTP ${request.method}`, { kind: SpanKind.SERVER, parent: headers, attributes }, async (span) => {
    Object.assign(headers, traceHeaders());
    for (const foreign of ["tracestate", "baggage"]) delete headers[foreign];
    next();
    await new Promise<void>((resolve) => response.once("close", resolve));
    span.setAttribute("http.response.status_code", response.statusCode);
    if (response.statusCode >= 500) markFailed(span);
  });
};
