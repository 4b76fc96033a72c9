import { Counter, Gauge, Histogram, type Metric, Registry } from "prom-client";

export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(
    name: string,
    help: string,
    labels?: readonly string[],
    collect?: (gauge: Gauge) => Promise<void> | void,
  ): Gauge;
  histogram(name: string, help: string, buckets: readonly number[], labels?: readonly string[]): Histogram;
  /** All of them, in Prometheus' text format. */
  expose(): Promise<string>;
  /** The same without labels that name a domain: what stood under several names is added up. For HTTP_PORT, which is public. */
  exposeUnnamed(): Promise<string>;
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
    exposeUnnamed: () => exposeUnnamed(registry),
    contentType: registry.contentType,
  };
}

/** Labels whose values are domains that mail goes to. */
const namingLabels: ReadonlySet<string> = new Set(["destination"]);

async function exposeUnnamed(registry: Registry): Promise<string> {
  const shown = new Registry();
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    if (metric) shown.registerMetric(await unnamed(metric));
  }
  return shown.metrics();
}

async function unnamed(metric: Metric): Promise<Metric> {
  const { name, help, type, values } = await metric.get();
  const labelNames = [...new Set(values.flatMap(({ labels }) => Object.keys(labels)))];
  if (!labelNames.some((label) => namingLabels.has(label))) return metric;
  const settings = { name, help, labelNames: labelNames.filter((label) => !namingLabels.has(label)), registers: [] };
  const sums = String(type) === "counter" ? new Counter(settings) : new Gauge(settings);
  for (const { value, labels } of values)
    sums.inc(Object.fromEntries(Object.entries(labels).filter(([label]) => !namingLabels.has(label))), value);
  return sums;
}
