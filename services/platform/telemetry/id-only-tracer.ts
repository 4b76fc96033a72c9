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

/** Drawn for many traces at once: each call of the system's generator takes as long as the rest of a span. */
const drawnBytes = 128 * (traceIdBytes + spanIdBytes);
let drawn = Buffer.alloc(0);
let used = 0;

function begin() {
  if (used === drawn.length) {
    drawn = randomBytes(drawnBytes);
    used = 0;
  }
  const spanAt = used + traceIdBytes;
  const traceId = drawn.toString("hex", used, spanAt);
  used = spanAt + spanIdBytes;
  return { traceId, spanId: drawn.toString("hex", spanAt, used), traceFlags: TraceFlags.NONE };
}
