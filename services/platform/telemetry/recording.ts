import { metrics as meters, propagation, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { core, NodeSDK, resources } from "@opentelemetry/sdk-node";
// What the SDK makes of OTEL_TRACES_EXPORTER and the exporters' variables. It has no public name, and each processor is wrapped.
import { getSpanProcessorsFromEnv } from "@opentelemetry/sdk-node/build/src/utils.js";
import { observeDatabases } from "../db/observe.ts";
import { asError, Outage } from "../errors.ts";
import type { Signals } from "./config.ts";
import { observeStatements } from "./database-spans.ts";
import { lineForwarder } from "./forward-lines.ts";
import { forwardMetrics } from "./forward-metrics.ts";
import { type Logger, observeLines } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import { RedactingProcessor } from "./redaction.ts";
import { readCallersBy } from "./trace-context.ts";

interface RecordingOptions {
  service: string;
  /** What has an endpoint. */
  signals: Signals;
  logger: Logger;
  metrics: Metrics;
}

/** So that a collector that is down for a night fills no log. */
const failureLogMs = 60_000;

/**
 * Starts OpenTelemetry's SDK: exporters, propagators, resource, sampler and limits are as OTEL_* says. Our own spans, metrics
 * and log lines are what it sends: nothing is patched. A full queue drops: nothing that is recorded ever waits for it.
 * @returns what sends the rest and stops
 */
export function startRecording({ service, signals, logger, metrics }: RecordingOptions): () => Promise<void> {
  logFailures(logger);
  const sdk = new NodeSDK({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes({ "service.name": service })),
    spanProcessors: signals.traces
      ? getSpanProcessorsFromEnv(undefined).map((each) => new RedactingProcessor(each))
      : [],
    ...(signals.metrics ? {} : { metricReaders: [] }),
    ...(signals.logs ? {} : { logRecordProcessors: [] }),
  });
  sdk.start();
  readCallersBy((headers) => trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers)));
  if (signals.traces) observeDatabases(observeStatements);
  if (signals.metrics) forwardMetrics(metrics, meters.getMeter("postern"));
  if (signals.logs) observeLines(lineForwarder(logs.getLogger("postern")));
  return () => sdk.shutdown();
}

function logFailures(logger: Logger): void {
  let silentUntil = 0;
  core.setGlobalErrorHandler((thrown) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + failureLogMs;
    const outage = new Outage("the collector", { cause: asError(thrown) });
    logger.warn({ err: outage }, "cannot export telemetry");
  });
}
