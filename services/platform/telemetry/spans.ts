import {
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { Refusal, ServiceError } from "../errors.ts";
import { headersOf, spanContextIn, type TraceHeaders } from "./trace-context.ts";

export { SpanKind } from "@opentelemetry/api";

/** The tracer of the SDK, or one that records nothing: see telemetry/start.ts. */
const tracer = () => trace.getTracer("postern");

type Attributes = Record<string, string | number | boolean | string[]>;

/** The ids of the trace and span that this code runs under, for logs and error documents. */
export function currentTrace(): { traceId: string; spanId: string } | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  return active ? { traceId: active.traceId, spanId: active.spanId } : undefined;
}

/** Sets attributes of the active span: ids, counts and kinds, never an address, content or a token. */
export function annotate(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** The headers that carry a span's context, by default the active one's, with a call or an event. */
export function traceHeaders(span = trace.getActiveSpan()): Record<string, string> {
  return span ? headersOf(span.spanContext()) : {};
}

/**
 * The headers of a call to another process of ours: a span's context, and for what stands between the processes the same in
 * the forms of OTEL_PROPAGATORS. Without baggage, of which a root context has none.
 */
export function callHeaders(span: Span): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers);
  return { ...headers, ...traceHeaders(span) };
}

/** The active context, for work that is done later and together with others'. */
export function currentContext(): Context {
  return context.active();
}

/** The context that headers of a call or an event carry; the active one where they carry none. */
export function extractContext(headers: TraceHeaders): Context {
  const cause = spanContextIn(headers);
  return cause && !isActive(cause) ? trace.setSpanContext(context.active(), cause) : context.active();
}

/** Whether headers name the active span, as those do that one handler of this process writes for the next. */
function isActive({ traceId, spanId }: SpanContext): boolean {
  const active = trace.getSpan(context.active())?.spanContext();
  return active?.spanId === spanId && active.traceId === traceId;
}

/** Runs a function in the context that headers of a call or an event carry, without a span of its own. */
export function withExtractedContext<T>(headers: TraceHeaders, run: () => T): T {
  return context.with(extractContext(headers), run);
}

/** The kind of a span that answers a call: from another process, or from within this one. */
export function answeringKind(): SpanKind {
  return trace.getSpanContext(context.active())?.isRemote ? SpanKind.SERVER : SpanKind.INTERNAL;
}

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** Headers of the call or event that caused this one: its trace goes on here. */
  parent?: TraceHeaders;
  /** Headers of a caller that is not trusted: a new trace begins here, with a link to the caller's. */
  untrusted?: TraceHeaders;
}

/** Runs a piece of work as a span of the current trace, of the one that `parent` names, or of a new one for an `untrusted` caller. */
export function withSpan<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T> {
  const { kind, attributes, parent, untrusted } = options;
  const parentContext = parent ? extractContext(parent) : untrusted ? ROOT_CONTEXT : context.active();
  const linked = untrusted && spanContextIn(untrusted);
  const span = tracer().startSpan(
    name,
    { kind, attributes, links: linked ? [{ context: linked }] : [] },
    parentContext,
  );
  if (isNothingNew(span, parentContext)) return run(span);
  return runWithin([span], parentContext, () => run(span));
}

/** Whether a span records nothing and has the ids of the active context: then a context of its own would add nothing. */
function isNothingNew(span: Span, parentContext: Context): boolean {
  return (
    !span.isRecording() &&
    parentContext === context.active() &&
    trace.getSpanContext(parentContext) === span.spanContext()
  );
}

/** A span over work that comes in pieces, such as the commands of a protocol. */
export interface OpenSpan {
  /** Runs a piece of the work within the span. */
  run<T>(piece: () => T): T;
  fail(error: unknown): void;
  end(): void;
}

/** Begins a trace with a span that lasts until its `end`; see withSpan for work in one piece. */
export function openTrace(name: string, { kind, attributes }: Pick<SpanOptions, "kind" | "attributes">): OpenSpan {
  const span = tracer().startSpan(name, { kind, attributes }, ROOT_CONTEXT);
  const within = trace.setSpan(ROOT_CONTEXT, span);
  return {
    run: (piece) => context.with(within, piece),
    fail: (error) => fail(span, error),
    end: () => span.end(),
  };
}

/** One of several traces that a piece of work belongs to. */
export interface SpanParticipant {
  /** The name of its span; absent: the one that is given for all. */
  name?: string;
  /** The parent of its span. */
  context: Context;
  /** Asked for where the span is recorded. */
  attributes?(): Attributes;
}

/**
 * Runs a piece of work that is done for several traces at once, as a span in each. Spans within it belong to the first
 * that is recorded; that one and the others are linked in both directions.
 * @param run gets the spans, in the order of the participants
 */
export function withSharedSpan<T>(
  name: string,
  { kind, participants }: { kind?: SpanKind; participants: readonly SpanParticipant[] },
  run: (spans: readonly Span[]) => Promise<T>,
): Promise<T> {
  const spans = participants.map((participant) => {
    const span = tracer().startSpan(participant.name ?? name, { kind }, participant.context);
    return span.isRecording() ? span.setAttributes(participant.attributes?.() ?? {}) : span;
  });
  const at = Math.max(
    0,
    spans.findIndex((span) => span.isRecording()),
  );
  const [span, parent] = [spans[at], participants[at]?.context];
  if (!span || !parent) return run([]);
  if (span.isRecording()) link(span, spans);
  return runWithin([span, ...spans.filter((other) => other !== span)], parent, () => run(spans));
}

/** OpenTelemetry keeps so many links of a span, unless told otherwise. */
const linkLimit = 128;

function link(first: Span, spans: readonly Span[]): void {
  const others = spans.filter((span) => span !== first && span.isRecording());
  const linkTo = (span: Span): Link => ({ context: span.spanContext() });
  first.addLinks(others.slice(0, linkLimit).map(linkTo));
  for (const other of others) other.addLink(linkTo(first));
}

/** Within the first of the spans; all of them end with it. */
async function runWithin<T>(spans: readonly [Span, ...Span[]], parent: Context, run: () => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(parent, spans[0]), run);
  } catch (error) {
    for (const span of spans) fail(span, error);
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** Records the error's kind and id, never its message, which may quote an address. */
function fail(span: Span, error: unknown): void {
  if (error instanceof ServiceError) span.setAttributes({ "error.type": error.kind, "postern.error.id": error.id });
  else span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
  // Refusing a request is normal operation, no failed span.
  if (!(error instanceof Refusal)) markFailed(span);
}

function markFailed(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The status that a request of others was answered with; 5xx is a failure of ours. */
export function setServerStatus(span: Span, status: number): void {
  span.setAttribute("http.response.status_code", status);
  if (status >= 500) markFailed(span);
}
