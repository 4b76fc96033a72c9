import { context, TraceFlags, trace } from "@opentelemetry/api";
import { type OpenMetricsContentType, Histogram as PrometheusHistogram, type Registry } from "prom-client";

type Labels = Record<string, string | number>;
type Context = ReturnType<typeof context.active>;

interface HistogramOptions {
  name: string;
  help: string;
  buckets: readonly number[];
  labels: readonly string[];
  registry: Registry<OpenMetricsContentType>;
}

/** A histogram each of whose buckets has the last recorded trace that fell into it as its exemplar. */
export class Histogram {
  readonly buckets: readonly number[];
  /** Told of each value as well. */
  observer: ((value: number, labels: Labels, within: Context) => void) | undefined;
  readonly #histogram: PrometheusHistogram;

  constructor({ name, help, buckets, labels, registry }: HistogramOptions) {
    this.buckets = buckets;
    const settings = { name, help, buckets: [...buckets], labelNames: [...labels], registers: [registry] };
    this.#histogram = new PrometheusHistogram({ ...settings, enableExemplars: true });
  }

  /** @param within the trace that the value belongs to, where that is not the active one */
  observe(value: number, labels: Labels = {}, within = context.active()): void {
    const span = trace.getSpanContext(within);
    const isRecorded = span && (span.traceFlags & TraceFlags.SAMPLED) !== 0;
    const exemplarLabels = isRecorded ? { trace_id: span.traceId, span_id: span.spanId } : {};
    this.#histogram.observe({ labels, value, exemplarLabels });
    this.observer?.(value, labels, within);
  }
}
