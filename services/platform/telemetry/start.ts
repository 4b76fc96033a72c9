import { setTimeout as delay } from "node:timers/promises";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { signalsOf, type TelemetryConfig } from "./config.ts";
import { IdOnlyTracer } from "./id-only-tracer.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

interface TelemetryOptions {
  config: TelemetryConfig;
  /** What this process is called unless OTEL_SERVICE_NAME says so. */
  service: string;
  logger: Logger;
  metrics: Metrics;
}

/** How long a stop waits for the collector to take what is left. */
const flushMs = 3_000;

let shutdown: (() => Promise<void>) | undefined;

/**
 * Starts telemetry in this process. Contexts follow the calls, and have an id in any case; OpenTelemetry's SDK, which records
 * and sends, is loaded only where a collector is named.
 */
export async function startTelemetry({ config, ...options }: TelemetryOptions): Promise<void> {
  const signals = signalsOf(config);
  if (!signals?.traces) trace.setGlobalTracerProvider(new IdOnlyTracer());
  if (signals) {
    const { startRecording } = await import("./recording.ts");
    shutdown = startRecording({ ...options, signals });
  } else {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }
}

/** Sends what was recorded, for as long as the collector is quick about it; the last thing a process does. */
export async function stopTelemetry(): Promise<void> {
  const unsent = shutdown?.().catch(() => undefined);
  await Promise.race([unsent, delay(flushMs, undefined, { ref: false })]);
}
