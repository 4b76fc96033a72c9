import { Counter, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(
    name: string,
    help: string,
    labels?: readonly string[],
    collect?: (gauge: Gauge) => Promise<void> | void,
  ): Gauge;
  histogram(name: string, help: string, buckets: readonly number[], labels?: readonly string[]): Histogram;
  /** What /metrics answers, in Prometheus' text format. */
  expose(): Promise<string>;
  readonly contentType: string;
}

/**
 * The process's metrics. Names begin with postern_ and end in their unit; asking again for a name gives the
 * one that is there, so that services in one process share a metric and tell themselves apart by a label.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const existing = <T>(name: string, make: () => T): T => (registry.getSingleMetric(name) as T | undefined) ?? make();
  return {
    counter: (name, help, labels = []) =>
      existing(name, () => new Counter({ name, help, labelNames: [...labels], registers: [registry] })),
    gauge: (name, help, labels = [], collect) =>
      existing(name, () => {
        const settings = { name, help, labelNames: [...labels], registers: [registry] };
        return new Gauge(
          collect
            ? {
                ...settings,
                collect() {
                  return collect(this);
                },
              }
            : settings,
        );
      }),
    histogram: (name, help, buckets, labels = []) =>
      existing(
        name,
        () => new Histogram({ name, help, buckets: [...buckets], labelNames: [...labels], registers: [registry] }),
      ),
    expose: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
