import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "./logger.ts";
import { RedactingExporter } from "./redacting-exporter.ts";

interface RecordingOptions {
  /** Where spans are posted to. */
  url: string;
  service: string;
  protocol: "http/protobuf" | "http/json";
  logger: Logger;
}

/**
 * What records spans and sends them to a collector, a batch at a time. Headers, certificates, compression, sampler, limits and
 * the queue's bounds it reads from OTEL_* itself. A full queue drops: nothing that is traced ever waits for it.
 */
export function recordingProvider({ url, service, protocol, logger }: RecordingOptions): BasicTracerProvider {
  const exporter = protocol === "http/json" ? new JsonExporter({ url }) : new ProtobufExporter({ url });
  return new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": service }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new RedactingExporter(exporter, logger))],
  });
}
