import { boolean, defineConfig, oneOf, optionalText, optionalUrl } from "../config.ts";

const protocols = ["http/protobuf", "http/json"] as const;
const samplers = [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
] as const;

/** Those of OpenTelemetry's own variables that decide something here. The rest its SDK reads by itself. */
export const telemetryConfig = defineConfig({
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl(["http", "https"])
    .meta({ unset: "nothing is recorded" })
    .describe("Where an OpenTelemetry collector takes OTLP over HTTP; traces go to /v1/traces there"),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalUrl(["http", "https"])
    .meta({ unset: "by OTEL_EXPORTER_OTLP_ENDPOINT" })
    .describe("The same for traces alone, with its path"),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(protocols, "http/protobuf").describe("How traces are sent"),
  OTEL_SERVICE_NAME: optionalText()
    .meta({ unset: "postern, or postern-NAME for one service of a fleet" })
    .describe("What traces call this process"),
  OTEL_TRACES_SAMPLER: oneOf(samplers, "parentbased_always_on").describe("Which traces are recorded"),
  OTEL_TRACES_SAMPLER_ARG: optionalText("a number from 0 to 1").describe("The share of them, for a sampler by ratio"),
  OTEL_SDK_DISABLED: boolean(false).describe("Turns tracing off even if the other variables are set"),
});
