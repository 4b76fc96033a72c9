import { INVALID_TRACEID, isSpanContextValid, type SpanContext, TraceFlags } from "@opentelemetry/api";

/**
 * Headers of a call or an event. Of a trace `traceparent` alone travels (W3C Trace Context, section 3.2): tracestate and
 * baggage may have been written by anyone, so that they are neither read nor passed on.
 */
export type TraceHeaders = Readonly<Record<string, unknown>>;

const traceParentPattern = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** The span that headers name, if they name one. */
export function spanContextIn(headers: TraceHeaders): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = traceParentPattern.exec(String(headers["traceparent"] ?? "")) ?? [];
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(found) ? found : undefined;
}

let readCaller = spanContextIn;

/** How the trace of a caller from outside is read, where OTEL_PROPAGATORS decides it. */
export function readCallersBy(read: (headers: TraceHeaders) => SpanContext | undefined): void {
  readCaller = read;
}

/** The trace that a caller from outside names in any form, as headers of ours. */
export function callerHeaders(headers: TraceHeaders): TraceHeaders {
  const caller = readCaller(headers);
  return caller ? headersOf(caller) : {};
}

/** Headers that name a span; none outside a trace. */
export function headersOf({ traceId, spanId, traceFlags }: SpanContext): Record<string, string> {
  if (traceId === INVALID_TRACEID) return {};
  return { traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}` };
}
