import { boolean, type ConfigOf, defineConfig, oneOf, optionalText, optionalUrl } from "../config.ts";

const protocols = ["http/protobuf", "http/json", "grpc"] as const;
const samplers = [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
] as const;

const endpointOf = (signal: string) =>
  optionalUrl(["http", "https"])
    .meta({ unset: "by OTEL_EXPORTER_OTLP_ENDPOINT" })
    .describe(`As OTEL_EXPORTER_OTLP_ENDPOINT, for ${signal} alone; over HTTP with its path`);

/** Those of OpenTelemetry's own variables that decide something here. The rest its SDK reads by itself. */
export const telemetryConfig = defineConfig({
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl(["http", "https"])
    .meta({ unset: "nothing is sent, and the SDK is not loaded" })
    .describe(
      "Where an OpenTelemetry collector takes traces, metrics and logs by OTLP. With an endpoint every variable of OpenTelemetry's SDK applies, such as OTEL_PROPAGATORS",
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpointOf("traces"),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpointOf("metrics"),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpointOf("logs"),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(protocols, "http/protobuf").describe(
    "The protocol in which traces, metrics and logs are sent to the collector",
  ),
  OTEL_TRACES_EXPORTER: optionalText().meta({ unset: "otlp" }).describe("Set it to none to send no traces"),
  OTEL_METRICS_EXPORTER: optionalText()
    .meta({ unset: "otlp" })
    .describe("Set it to none to send no metrics, where Prometheus scrapes /metrics"),
  OTEL_LOGS_EXPORTER: optionalText()
    .meta({ unset: "otlp" })
    .describe("Set it to none to send no logs, where standard output is collected"),
  OTEL_SERVICE_NAME: optionalText()
    .meta({ unset: "postern; of a part of a fleet postern-NAME, or postern-NAME,NAME for several services" })
    .describe("The service name of this process in telemetry"),
  OTEL_TRACES_SAMPLER: oneOf(samplers, "parentbased_always_on").describe("Which traces are recorded"),
  OTEL_TRACES_SAMPLER_ARG: optionalText("a number from 0 to 1", (given) =>
    /^(?:0?\.\d+|0|1|1\.0+)$/.test(given),
  ).describe("The share of traces that is recorded, for a sampler by ratio"),
  OTEL_SDK_DISABLED: boolean(false).describe("Turns telemetry off even if its other variables are set"),
});

export type TelemetryConfig = ConfigOf<typeof telemetryConfig>;

/** The kinds of telemetry that have somewhere to go. */
export interface Signals {
  traces: boolean;
  metrics: boolean;
  logs: boolean;
}

/** What is to be sent; undefined if nothing is. */
export function signalsOf(config: TelemetryConfig): Signals | undefined {
  const sent = (endpoint: string | undefined, exporter: string | undefined) =>
    !config.OTEL_SDK_DISABLED &&
    (endpoint ?? config.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined &&
    exporter?.trim() !== "none";
  const signals = {
    traces: sent(config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, config.OTEL_TRACES_EXPORTER),
    metrics: sent(config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, config.OTEL_METRICS_EXPORTER),
    logs: sent(config.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT, config.OTEL_LOGS_EXPORTER),
  };
  return Object.values(signals).includes(true) ? signals : undefined;
}
