import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A span as OTLP's JSON has it, with what tests look at taken apart. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** OpenTelemetry's: 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  /** What its process calls itself. */
  service: string;
  attributes: Record<string, unknown>;
  links: readonly { traceId: string; spanId: string }[];
  isFailed: boolean;
}

interface CollectedLog {
  traceId: string;
  severityText: string;
  body: unknown;
  attributes: Record<string, unknown>;
}

export interface TraceCollector {
  readonly spans: readonly CollectedSpan[];
  readonly logs: readonly CollectedLog[];
  /** As OTLP's JSON has them. */
  readonly metrics: readonly ({ name: string } & Record<string, unknown>)[];
  /** What processes say of themselves; of several the last. */
  readonly resource: Readonly<Record<string, unknown>>;
  /** All traces, as they came. */
  readonly text: string;
  /** For the processes whose traces are to come here. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** An OTLP collector of the test's own. */
export async function traceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const logs: CollectedLog[] = [];
  const metrics: TraceCollector["metrics"][number][] = [];
  let resource: Record<string, unknown> = {};
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as ExportRequest;
    if (body.resourceSpans) texts.push(JSON.stringify(body));
    spans.push(...(body.resourceSpans ?? []).flatMap(spansOf));
    logs.push(...(body.resourceLogs ?? []).flatMap(logsOf));
    metrics.push(
      ...(body.resourceMetrics ?? []).flatMap((each) => each.scopeMetrics.flatMap((scope) => scope.metrics)),
    );
    if (body.resourceSpans?.[0]) resource = plain(body.resourceSpans[0].resource.attributes);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    spans,
    logs,
    metrics,
    get resource() {
      return resource;
    },
    get text() {
      return texts.join("\n");
    },
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "200",
      OTEL_BLRP_SCHEDULE_DELAY: "200",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
      OTEL_METRIC_EXPORT_TIMEOUT: "1000",
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

// opentelemetry-proto, trace_service.proto and common.proto, in their JSON form.
type Value = Record<string, unknown> & { arrayValue?: { values: Value[] } };
interface Attribute {
  key: string;
  value: Value;
}
interface SentSpan extends Pick<CollectedSpan, "traceId" | "spanId" | "name" | "kind"> {
  parentSpanId?: string;
  attributes: Attribute[];
  links: CollectedSpan["links"];
  status: { code?: number };
}
interface ResourceSpans {
  resource: { attributes: Attribute[] };
  scopeSpans: { spans: SentSpan[] }[];
}
interface ResourceLogs {
  scopeLogs: { logRecords: (Omit<CollectedLog, "body" | "attributes"> & { body: Value; attributes: Attribute[] })[] }[];
}
interface ExportRequest {
  resourceSpans?: ResourceSpans[];
  resourceLogs?: ResourceLogs[];
  resourceMetrics?: { scopeMetrics: { metrics: TraceCollector["metrics"][number][] }[] }[];
}

const statusError = 2;

function spansOf({ resource, scopeSpans }: ResourceSpans): CollectedSpan[] {
  const service = String(plain(resource.attributes)["service.name"]);
  return scopeSpans.flatMap(({ spans }) =>
    spans.map(({ traceId, spanId, parentSpanId, name, kind, attributes, links, status }) => ({
      traceId,
      spanId,
      parentSpanId,
      name,
      kind,
      service,
      attributes: plain(attributes),
      links,
      isFailed: status.code === statusError,
    })),
  );
}

function logsOf({ scopeLogs }: ResourceLogs): CollectedLog[] {
  return scopeLogs.flatMap(({ logRecords }) =>
    logRecords.map(({ traceId, severityText, body, attributes }) => ({
      traceId,
      severityText,
      body: plainValue(body),
      attributes: plain(attributes),
    })),
  );
}

function plain(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Value): unknown {
  return value.arrayValue ? value.arrayValue.values.map(plainValue) : Object.values(value)[0];
}
