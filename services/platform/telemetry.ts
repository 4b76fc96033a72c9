import {
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { messageOf } from "./errors.ts";

export { SpanKind } from "@opentelemetry/api";

const tracer = () => trace.getTracer("postern");

let provider: NodeTracerProvider | undefined;

/** Starts tracing in this process: contexts follow the calls, and travel as W3C Trace Context. */
export function startTelemetry(): void {
  if (provider) return;
  provider = new NodeTracerProvider();
  provider.register({ propagator: new W3CTraceContextPropagator() });
}

/** Lets go what is still held; the last thing a process does. */
export async function stopTelemetry(): Promise<void> {
  await provider?.shutdown();
}

/** The ids of the trace and span that this code runs under, for logs and error documents. */
export function currentTrace(): { traceId: string; spanId: string } | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  return active ? { traceId: active.traceId, spanId: active.spanId } : undefined;
}

/** Notes something on the span that this code runs under. */
export function annotate(attributes: Record<string, string | number | boolean>): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** The trace that this code runs under, as headers for a call or an event. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Record<string, string | number | boolean>;
  /** Headers of the call or event that caused this one: its trace goes on here. */
  parent?: Record<string, unknown>;
  /** Headers of several that caused it together: each one's trace is linked to, up to OpenTelemetry's usual limit. */
  links?: readonly Record<string, unknown>[];
}

const linkLimit = 128;

function linksTo(causes: readonly Record<string, unknown>[]): Link[] {
  const contexts = causes
    .slice(0, linkLimit)
    .map((headers) => trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers)));
  return contexts.filter((context) => context !== undefined).map((context) => ({ context }));
}

/** Runs a piece of work as a span of the current trace, or of the one that `parent` names. */
export async function withSpan<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T> {
  const parent = options.parent ? propagation.extract(context.active(), options.parent) : context.active();
  const settings = {
    kind: options.kind ?? SpanKind.INTERNAL,
    attributes: options.attributes,
    links: linksTo(options.links ?? []),
  };
  return tracer().startActiveSpan(name, settings, parent, async (span) => {
    try {
      return await run(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}
