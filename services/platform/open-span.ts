import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import type { SpanOptions } from "./telemetry.ts";

/** A span over work that comes in pieces, such as the commands of a protocol. */
export interface OpenSpan {
  /** Runs a piece of the work within the span. */
  run<T>(piece: () => T): T;
  fail(error: Error): void;
  end(): void;
}

/** Begins a span of the current trace that lasts until its `end`; see withSpan for work in one piece. */
export function openSpan(name: string, { kind, attributes }: Pick<SpanOptions, "kind" | "attributes">): OpenSpan {
  const span = trace.getTracer("postern").startSpan(name, { kind, attributes });
  const within = trace.setSpan(context.active(), span);
  return {
    run: (piece) => context.with(within, piece),
    fail: (error) => void span.setStatus({ code: SpanStatusCode.ERROR, message: error.message }),
    end: () => span.end(),
  };
}
