import { setTimeout as delay } from "node:timers/promises";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { ConfigOf } from "../config.ts";
import { observeDatabases } from "../db/observe.ts";
import type { telemetryConfig } from "./config.ts";
import { observeStatements } from "./database-spans.ts";
import { IdOnlyTracer } from "./id-only-tracer.ts";
import type { Logger } from "./logger.ts";

interface TelemetryOptions {
  config: ConfigOf<typeof telemetryConfig>;
  /** What this process is called unless OTEL_SERVICE_NAME says so. */
  service: string;
  logger: Logger;
}

/** How long a stop waits for the collector to take what is left. */
const flushMs = 3_000;

let shutdown: (() => Promise<void>) | undefined;

/**
 * Starts tracing in this process. Contexts follow the calls, and have an id in any case; spans are recorded, and what records
 * them is loaded, only where a collector is named.
 */
export async function startTelemetry({ config, service, logger }: TelemetryOptions): Promise<void> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const url = tracesUrl(config);
  if (url === undefined || config.OTEL_SDK_DISABLED) {
    trace.setGlobalTracerProvider(new IdOnlyTracer());
    return;
  }
  const { recordingProvider } = await import("./recording.ts");
  const provider = recordingProvider({ url, service, protocol: config.OTEL_EXPORTER_OTLP_PROTOCOL, logger });
  trace.setGlobalTracerProvider(provider);
  observeDatabases(observeStatements);
  shutdown = () => provider.shutdown();
}

/** OpenTelemetry Protocol Exporter, "Endpoint URLs for OTLP/HTTP". */
function tracesUrl(config: TelemetryOptions["config"]): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = config;
  return traces ?? (base && `${base}/v1/traces`);
}

/** Sends what was recorded, for as long as the collector is quick about it; the last thing a process does. */
export async function stopTelemetry(): Promise<void> {
  const unsent = shutdown?.().catch(() => undefined);
  await Promise.race([unsent, delay(flushMs, undefined, { ref: false })]);
}
