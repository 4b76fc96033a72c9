import { randomBytes } from "node:crypto";
import {
  type Context,
  context,
  type Span,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";

const traceIdBytes = 16;
const spanIdBytes = 8;

/** Gives traces their ids, for logs, calls and events, and records nothing. */
export class IdOnlyTracer implements TracerProvider, Tracer {
  getTracer(): Tracer {
    return this;
  }

  startSpan(_name: string, options?: SpanOptions, parent: Context = context.active()): Span {
    const cause = options?.root ? undefined : trace.getSpanContext(parent);
    return trace.wrapSpanContext(cause ?? begin());
  }

  startActiveSpan<R>(name: string, ...rest: readonly unknown[]): R {
    const run = rest.at(-1) as (span: Span) => R;
    const [options, parent = context.active()] = rest.slice(0, -1) as [SpanOptions?, Context?];
    const span = this.startSpan(name, options, parent);
    return context.with(trace.setSpan(parent, span), () => run(span));
  }
}

function begin() {
  const bytes = randomBytes(traceIdBytes + spanIdBytes);
  return {
    traceId: bytes.toString("hex", 0, traceIdBytes),
    spanId: bytes.toString("hex", traceIdBytes),
    traceFlags: TraceFlags.NONE,
  };
}
