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

export interface TraceCollector {
  readonly spans: readonly CollectedSpan[];
  /** Everything that came, as it came. */
  readonly text: string;
  /** For the processes whose traces are to come here. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** An OTLP collector of the test's own. */
export async function traceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as ExportRequest;
    texts.push(JSON.stringify(body));
    spans.push(...body.resourceSpans.flatMap(spansOf));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    spans,
    get text() {
      return texts.join("\n");
    },
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "200",
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
interface ExportRequest {
  resourceSpans: ResourceSpans[];
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

function plain(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Value): unknown {
  return value.arrayValue ? value.arrayValue.values.map(plainValue) : Object.values(value)[0];
}
