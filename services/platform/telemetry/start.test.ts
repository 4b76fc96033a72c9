import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { context, trace } from "@opentelemetry/api";
import { loadConfig } from "../config.ts";
import { ConfigurationError } from "../errors.ts";
import { telemetryConfig } from "./config.ts";
import { createLogger } from "./logger.ts";
import { currentTrace, traceHeaders, withSpan } from "./spans.ts";
import { startTelemetry, stopTelemetry } from "./start.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const start = (environment: Record<string, string>) =>
  startTelemetry({ config: loadConfig(telemetryConfig, environment), service: "test", logger });

afterEach(() => {
  trace.disable();
  context.disable();
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

test("what cannot be done is refused at start", () => {
  const wrong = { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_TRACES_SAMPLER: "sometimes" };
  expect(() => loadConfig(telemetryConfig, wrong)).toThrow(ConfigurationError);
});

test("a collector that takes what is sent and never answers holds up neither work nor the stop", async () => {
  const unanswered: ServerResponse[] = [];
  const collector = createServer((_request, response) => void unanswered.push(response)).listen(0, "127.0.0.1");
  await once(collector, "listening");
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` });
  for (let count = 0; count < 5_000; count++) await withSpan("work", {}, async () => undefined);
  await stopTelemetry();
  expect(unanswered.length).toBeGreaterThan(0);
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
