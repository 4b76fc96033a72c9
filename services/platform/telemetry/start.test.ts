import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { context, metrics as meters, propagation, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { eventually } from "../../../test/support/eventually.ts";
import { traceCollector } from "../../../test/support/peers/trace-collector.ts";
import { loadConfig, setLibraryEnvironment } from "../config.ts";
import { ConfigurationError } from "../errors.ts";
import { signalsOf, telemetryConfig } from "./config.ts";
import { createLogger, observeLines } from "./logger.ts";
import { createMetrics } from "./metrics.ts";
import { callHeaders, currentTrace, traceHeaders, withSpan } from "./spans.ts";
import { startTelemetry, stopTelemetry } from "./start.ts";
import { callerHeaders } from "./trace-context.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const metrics = createMetrics();
const isSet: string[] = [];

/** The SDK reads the rest from the process's own environment. */
function start(environment: Record<string, string>): Promise<void> {
  setLibraryEnvironment(environment);
  isSet.push(...Object.keys(environment));
  return startTelemetry({ config: loadConfig(telemetryConfig, environment), service: "test", logger, metrics });
}

afterEach(() => {
  setLibraryEnvironment(Object.fromEntries(isSet.splice(0).map((name) => [name, ""])));
  observeLines(undefined);
  for (const api of [trace, context, propagation, meters, logs]) api.disable();
});

test("without a collector nothing is recorded, and a trace has its id all the same", async () => {
  await start({});
  await withSpan("outer", {}, async (span) => {
    expect(span.isRecording()).toBe(false);
    const outer = currentTrace();
    expect(traceHeaders()).toEqual({ traceparent: `00-${outer?.traceId}-${outer?.spanId}-00` });
    await withSpan("inner", {}, async () => expect(currentTrace()).toEqual(outer));
  });
  const parent = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", baggage: "a=b" };
  await withSpan("caused", { parent }, async () => expect(traceHeaders()).toEqual({ traceparent: parent.traceparent }));
});

test("OTEL_SDK_DISABLED records nothing, whatever is named", async () => {
  await start({ OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  await withSpan("work", {}, async (span) => expect(span.isRecording()).toBe(false));
});

test("what cannot be done is refused at start, and only what has somewhere to go is sent", () => {
  const wrong = { OTEL_EXPORTER_OTLP_PROTOCOL: "carrier pigeon", OTEL_TRACES_SAMPLER: "sometimes" };
  expect(() => loadConfig(telemetryConfig, wrong)).toThrow(ConfigurationError);
  const sent = (environment: Record<string, string>) => signalsOf(loadConfig(telemetryConfig, environment));
  expect(sent({ OTEL_TRACES_EXPORTER: "otlp" })).toBeUndefined();
  const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector/v1/traces" };
  expect(sent(traces)).toEqual({ traces: true, metrics: false, logs: false });
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector", OTEL_METRICS_EXPORTER: "none" };
  expect(sent(all)).toEqual({ traces: true, metrics: false, logs: true });
});

test("spans, metrics and log lines come to the collector with the resource that OTEL_* names, and without addresses", async () => {
  const collector = await traceCollector();
  const taken = { OTEL_SERVICE_NAME: "named", OTEL_RESOURCE_ATTRIBUTES: "service.namespace=mail" };
  await start({ ...collector.environment, ...taken });
  const lines = createLogger({ LOG_LEVEL: "fatal", LOG_FORMAT: "json" });
  const traceId = await withSpan(
    "work",
    { attributes: { "postern.kind": "a", to: "ann@example.com" } },
    async (span) => {
      lines.fatal({ emailId: "id", client: "ann@example.com" }, "sent to ann@example.com");
      metrics.histogram("postern_waiting_seconds", "Waiting", [1, 5], ["kind"]).observe(3, { kind: "a" });
      metrics.counter("postern_things_total", "Things").inc(2);
      return span.spanContext().traceId;
    },
  );
  await stopTelemetry();
  await collector.close();
  expect(collector.spans).toMatchObject([
    { traceId, service: "named", attributes: { "postern.kind": "a", to: "[redacted]" } },
  ]);
  expect(collector.resource).toMatchObject({ "service.namespace": "mail", "telemetry.sdk.name": "opentelemetry" });
  expect(collector.logs).toMatchObject([
    { traceId, severityText: "fatal", body: "sent to [redacted]", attributes: { "postern.email_id": "id" } },
  ]);
  const sent = new Map(collector.metrics.map((metric) => [metric.name, metric]));
  expect(sent.get("postern.waiting")).toMatchObject({ unit: "s", histogram: { dataPoints: [{ sum: 3 }] } });
  expect(sent.get("postern.things")).toMatchObject({ sum: { isMonotonic: true, dataPoints: [{ asDouble: 2 }] } });
});

/** What is sent by every signal. */
const ofAllSignals = { OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=a%20b,x-key=c" };

async function sendOfEach(environment: Record<string, string>): Promise<void> {
  await start({ ...ofAllSignals, ...environment });
  await withSpan("work", {}, async () => createLogger({ LOG_LEVEL: "fatal", LOG_FORMAT: "json" }).fatal({}, "done"));
  metrics.counter("postern_things_total", "Things").inc();
  await stopTelemetry();
}

test("OTLP goes by gRPC where OTEL_EXPORTER_OTLP_PROTOCOL says so, with OTEL_EXPORTER_OTLP_HEADERS", async () => {
  const calls: string[] = [];
  const server = createHttp2Server().listen(0, "127.0.0.1");
  server.on("stream", (stream, headers) => {
    calls.push(`${headers[":path"]} ${headers["x-tenant"]} ${headers["x-key"]}`);
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.resume().end(Buffer.alloc(5));
  });
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await sendOfEach({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
  server.close();
  const names = ["logs.v1.LogsService", "metrics.v1.MetricsService", "trace.v1.TraceService"];
  const expected = names.map((name) => `/opentelemetry.proto.collector.${name}/Export a b c`);
  expect([...new Set(calls)].sort()).toEqual(expected);
});

test.each([
  ["http/protobuf", "application/x-protobuf"],
  ["http/json", "application/json"],
])("OTLP goes by %s to a path for each signal, with OTEL_EXPORTER_OTLP_HEADERS", async (protocol, contentType) => {
  const calls: string[] = [];
  const server = createServer(async ({ url, headers }, response) => {
    calls.push(`${url} ${headers["content-type"]} ${headers["x-tenant"]} ${headers["x-key"]}`);
    response.writeHead(200, { connection: "close" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/from`;
  await sendOfEach({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol });
  server.close();
  const paths = ["logs", "metrics", "traces"].map((signal) => `/from/v1/${signal} ${contentType} a b c`);
  expect([...new Set(calls)].sort()).toEqual(paths);
});

test("OTEL_TRACES_SAMPLER and its share decide what is recorded, and a caller's decision where it goes by the parent", async () => {
  const collector = await traceCollector();
  const isRecorded = (flags: string) =>
    withSpan("work", { parent: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-${flags}` } }, async (span) =>
      span.isRecording(),
    );
  await start({
    ...collector.environment,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0",
  });
  await withSpan("root", {}, async (span) => expect(span.isRecording()).toBe(false));
  expect([await isRecorded("00"), await isRecorded("01")]).toEqual([false, true]);
  await stopTelemetry();
  trace.disable();
  await start({ ...collector.environment, OTEL_TRACES_SAMPLER: "always_off", OTEL_TRACES_SAMPLER_ARG: "" });
  expect(await isRecorded("01")).toBe(false);
  await stopTelemetry();
  await collector.close();
  expect(collector.spans.map(({ traceId }) => traceId)).toEqual(["a".repeat(32)]);
});

test("a collector that does not answer within OTEL_EXPORTER_OTLP_TIMEOUT is hung up on", async () => {
  const collector = createServer().listen(0, "127.0.0.1");
  await once(collector, "listening");
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
  const asked = once(collector, "request");
  await start({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_TIMEOUT: "50",
    OTEL_BSP_SCHEDULE_DELAY: "1",
  });
  await withSpan("work", {}, async () => undefined);
  const [request] = await asked;
  await once(request.socket, "close");
  await stopTelemetry();
  collector.close();
});

test("a caller's trace is read as OTEL_PROPAGATORS says, and calls carry it in that form; baggage goes nowhere", async () => {
  const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const from = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces" };
  await start({ ...from, OTEL_PROPAGATORS: "b3,baggage" });
  const caller = callerHeaders({ b3: `${traceId}-${spanId}-1`, baggage: "user=ann" });
  expect(caller).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
  expect(callerHeaders({ traceparent: `00-${traceId}-${spanId}-01` })).toEqual({});
  const baggage = propagation.createBaggage({ user: { value: "ann" } });
  await context.with(propagation.setBaggage(context.active(), baggage), () =>
    withSpan("call", { parent: caller }, async (span) => {
      const { spanId: ours } = span.spanContext();
      const expected = { b3: `${traceId}-${ours}-1`, traceparent: `00-${traceId}-${ours}-01` };
      expect(callHeaders(span)).toEqual(expected);
    }),
  );
  await stopTelemetry();
});

test("a collector that takes what is sent and never answers holds up neither work nor the stop", async () => {
  const unanswered: ServerResponse[] = [];
  const collector = createServer((_request, response) => void unanswered.push(response)).listen(0, "127.0.0.1");
  await once(collector, "listening");
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` });
  for (let count = 0; count < 5_000; count++) await withSpan("work", {}, async () => undefined);
  await stopTelemetry();
  await eventually(async () => expect(unanswered.length).toBeGreaterThan(0));
  // The exporter still waits for its answers: it gives up after ten seconds (OTEL_EXPORTER_OTLP_TIMEOUT).
  expect(unanswered.some(({ destroyed }) => destroyed)).toBe(false);
  // So that the exporter ends its waiting too.
  collector.removeAllListeners("request").on("request", (_request, response) => refuse(response));
  for (const response of unanswered) refuse(response);
  collector.close();
});

function refuse(response: ServerResponse): void {
  response.writeHead(400, { connection: "close" }).end();
}
