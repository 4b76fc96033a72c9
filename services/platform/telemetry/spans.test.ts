import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { context, type Span, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { DatabaseCall } from "../db/observe.ts";
import { Refusal } from "../errors.ts";
import { observeStatements } from "./database-spans.ts";
import { IdOnlyTracer } from "./id-only-tracer.ts";
import { currentContext, currentTrace, extractContext, traceHeaders, withSharedSpan, withSpan } from "./spans.ts";

const recorded = new InMemorySpanExporter();

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(recorded)] }));
});
afterEach(() => recorded.reset());

const spanNamed = (name: string) => {
  const found = recorded.getFinishedSpans().find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name}`);
  return found;
};

/** Headers of a span of its own. */
const elsewhere = (name: string) => withSpan(name, {}, async () => traceHeaders());

test("work for several is a span in each trace, what it does in turn in the first, and linked there and back", async () => {
  const headers = [await elsewhere("a"), await elsewhere("b"), await elsewhere("c")];
  const participants = headers.map((each) => ({ context: extractContext(each) }));
  const given = await withSharedSpan("together", { participants }, async (spans) => {
    await withSpan("within", {}, async () => undefined);
    return spans.map((span) => span.spanContext().traceId);
  });
  const shared = recorded.getFinishedSpans().filter(({ name }) => name === "together");
  const parents = ["a", "b", "c"].map((name) => spanNamed(name).spanContext().spanId);
  expect(shared.map(({ parentSpanContext }) => parentSpanContext?.spanId).sort()).toEqual([...parents].sort());
  expect(given).toEqual(["a", "b", "c"].map((name) => spanNamed(name).spanContext().traceId));
  const [first, ...others] = given.map((traceId) => shared.find((span) => span.spanContext().traceId === traceId));
  expect(spanNamed("within").parentSpanContext?.spanId).toBe(first?.spanContext().spanId);
  const linkedTo = (span: typeof first) => span?.links.map((link) => link.context.spanId);
  expect(linkedTo(first)).toEqual(others.map((span) => span?.spanContext().spanId));
  for (const other of others) expect(linkedTo(other)).toEqual([first?.spanContext().spanId]);
});

test("work for several of which some are not sampled is seen with the first that is", async () => {
  const unsampled = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00" };
  const sampled = await elsewhere("a");
  const participants = [unsampled, sampled].map((each) => ({ context: extractContext(each) }));
  await withSharedSpan("together", { participants }, () => withSpan("within", {}, async () => undefined));
  expect(spanNamed("within").spanContext().traceId).toBe(spanNamed("a").spanContext().traceId);
  expect(spanNamed("together").links).toEqual([]);
});

test("a failure is told by its kind and found by its id, never by its words", async () => {
  const refusal = new Refusal("NotFound", { public: "There is no ann@example.com." });
  const fail = (name: string, error: unknown) =>
    withSpan(name, {}, () => Promise.reject(error)).catch((thrown: unknown) => expect(thrown).toBe(error));
  await fail("refused", refusal);
  await fail("broken", new TypeError("ann@example.com is no object"));
  expect(spanNamed("refused").attributes).toEqual({ "error.type": "NotFound", "postern.error.id": refusal.id });
  expect(spanNamed("broken").attributes).toEqual({ "error.type": "TypeError" });
  expect(["refused", "broken"].map((name) => spanNamed(name).status)).toEqual([{ code: 0 }, { code: 2 }]);
});

test("a statement is told by its name or by what it does to which table, and belongs to work that is recorded", async () => {
  const call = (sql: string | undefined, name?: string): DatabaseCall => {
    return { operation: sql === undefined ? "tx" : "query", schema: "mailbox", name, sql };
  };
  const run = (of: DatabaseCall) => observeStatements(of, async () => 1);
  await run(call("select 1 from email"));
  expect(recorded.getFinishedSpans()).toEqual([]);
  await withSpan("work", {}, async (_: Span) => {
    await run(call("select subject from email where id = $1"));
    await run(call("\n  insert into content values ($1)", "content_insert"));
    await run(call("begin isolation level read committed"));
    await run(call(undefined, "accept"));
    await run(call(undefined));
  });
  const names = recorded.getFinishedSpans().map(({ name }) => name);
  const expected = ["select email", "content_insert", "transaction accept", "transaction"];
  expect(names).toEqual([...expected.map((name) => `mailbox ${name}`), "work"]);
});

test("where nothing is recorded a trace keeps its ids and its context, through handlers that hand it on by headers", async () => {
  trace.disable();
  trace.setGlobalTracerProvider(new IdOnlyTracer());
  const state = () => ({ ids: currentTrace(), context: currentContext() });
  const [outer, inner, handed] = await withSpan("outer", { untrusted: {} }, async () => [
    state(),
    await withSpan("inner", {}, async () => state()),
    await withSpan("handed on", { parent: traceHeaders() }, async () => state()),
  ]);
  expect(inner).toEqual(outer);
  expect(inner?.context).toBe(outer?.context);
  expect(handed?.context).toBe(outer?.context);
  const other = await withSpan("other", { untrusted: {} }, async () => traceHeaders());
  const joined = await withSpan("outer", { untrusted: {} }, () =>
    withSpan("joins the other", { parent: other }, async () => traceHeaders()),
  );
  expect(joined).toEqual(other);
  const traces = await Promise.all(
    Array.from({ length: 300 }, () => withSpan("each", { untrusted: {} }, async () => currentTrace())),
  );
  expect(new Set(traces.map((each) => each?.traceId)).size).toBe(300);
  expect(new Set(traces.map((each) => each?.spanId)).size).toBe(300);
});
