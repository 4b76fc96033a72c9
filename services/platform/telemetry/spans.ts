import {
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { Refusal } from "../errors.ts";
import { headersOf, spanContextIn, type TraceHeaders } from "./trace-context.ts";

export { SpanKind } from "@opentelemetry/api";

/** Of whoever records, or does not: see telemetry/start.ts. */
const tracer = () => trace.getTracer("postern");

type Attributes = Record<string, string | number | boolean | string[]>;

/** The ids of the trace and span that this code runs under, for logs and error documents. */
export function currentTrace(): { traceId: string; spanId: string } | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  return active ? { traceId: active.traceId, spanId: active.spanId } : undefined;
}

/** Notes something on the span that this code runs under: ids, counts and kinds, never an address, content or a token. */
export function annotate(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** A span, or else the one that this code runs under, as headers for a call or an event. */
export function traceHeaders(span = trace.getActiveSpan()): Record<string, string> {
  return span ? headersOf(span.spanContext()) : {};
}

/** Where in which trace this code runs, for work that is done later and together with others'. */
export function currentPlace(): Context {
  return context.active();
}

/** The place that headers of a call or an event name, or else the one that this code runs at. */
export function placeOf(headers: TraceHeaders): Context {
  const cause = spanContextIn(headers);
  return cause ? trace.setSpanContext(context.active(), cause) : context.active();
}

/** Runs what follows at the place that headers of a call or an event name, without a span of its own. */
export function inTraceOf<T>(headers: TraceHeaders, run: () => T): T {
  return context.with(placeOf(headers), run);
}

/** The kind of a span that answers a call: from another process, or from within this one. */
export function answeringKind(): SpanKind {
  return trace.getSpanContext(context.active())?.isRemote ? SpanKind.SERVER : SpanKind.INTERNAL;
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** Headers of the call or event that caused this one: its trace goes on here. */
  parent?: TraceHeaders;
  /** Headers of a stranger's call, who decides nothing here: a trace of our own begins, with a link to the stranger's. */
  stranger?: TraceHeaders;
}

/** Runs a piece of work as a span of the current trace, of the one that `parent` names, or of its own for a `stranger`. */
export function withSpan<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T> {
  const { kind, attributes, parent, stranger } = options;
  const place = parent ? placeOf(parent) : stranger ? ROOT_CONTEXT : context.active();
  const asking = stranger && spanContextIn(stranger);
  const span = tracer().startSpan(name, { kind, attributes, links: asking ? [{ context: asking }] : [] }, place);
  return runWithin([span], place, () => run(span));
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

/** One of several that a piece of work is done for. */
export interface Share {
  place: Context;
  attributes?: Attributes;
}

/**
 * Runs a piece of work that is done for several at once: as a span in the trace of each. What the work does in turn is seen
 * in the first of them that is recorded; it and the others are linked, there and back.
 * @param run gets the spans, in the order of the shares
 */
export function withSharedSpan<T>(
  name: string,
  { kind, shares }: { kind?: SpanKind; shares: readonly Share[] },
  run: (spans: readonly Span[]) => Promise<T>,
): Promise<T> {
  const spans = shares.map(({ place, attributes }) => tracer().startSpan(name, { kind, attributes }, place));
  const at = Math.max(
    0,
    spans.findIndex((span) => span.isRecording()),
  );
  const [span, place] = [spans[at], shares[at]?.place];
  if (!span || !place) return run([]);
  if (span.isRecording()) link(span, spans);
  return runWithin([span, ...spans.filter((other) => other !== span)], place, () => run(spans));
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
async function runWithin<T>(spans: readonly [Span, ...Span[]], place: Context, run: () => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(place, spans[0]), run);
  } catch (error) {
    for (const span of spans) fail(span, error);
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** What went wrong is told by its kind and found in the log by its id: a message may quote an address. */
function fail(span: Span, error: unknown): void {
  if (error instanceof Refusal) span.setAttributes({ "error.type": error.kind, "postern.error.id": error.id });
  else span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
  // That somebody is refused is what we are for.
  if (!(error instanceof Refusal && error.status < 500)) markFailed(span);
}

export function markFailed(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
}
