import {
  Counter,
  Gauge,
  type Metric,
  type OpenMetricsContentType,
  Registry,
  type RegistryContentType,
} from "prom-client";
import { Histogram } from "./histogram.ts";

export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(
    name: string,
    help: string,
    labels?: readonly string[],
    collect?: (gauge: Gauge) => Promise<void> | void,
  ): Gauge;
  histogram(name: string, help: string, buckets: readonly number[], labels?: readonly string[]): Histogram;
  /** All of them, as text. */
  expose(format: ExpositionFormat): Promise<string>;
  /** The same without labels that name a domain: what stood under several names is added up. For HTTP_PORT, which is public. */
  exposeUnnamed(format: ExpositionFormat): Promise<string>;
  /** Tells of every metric, of those to come as well. */
  watch(watcher: (metric: WatchedMetric) => void): void;
}

/** Only OpenMetrics has exemplars. */
export type ExpositionFormat = "prometheus" | "openmetrics";

export const contentTypes = {
  prometheus: Registry.PROMETHEUS_CONTENT_TYPE,
  openmetrics: Registry.OPENMETRICS_CONTENT_TYPE,
} as const;

/** A metric as one who sends it elsewhere sees it. */
interface WatchedMetric {
  name: string;
  help: string;
  metric: Counter | Gauge | Histogram;
}

/**
 * The process's metrics. Names begin with postern_ and end in their unit; asking again for a name gives the
 * one that is there, so that services in one process share a metric and tell themselves apart by a label.
 */
export function createMetrics(): Metrics {
  // Of this kind, since histograms with exemplars belong to no other.
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(contentTypes.openmetrics);
  const made = new Map<string, WatchedMetric>();
  const watchers: ((metric: WatchedMetric) => void)[] = [];
  const existing = <T extends WatchedMetric["metric"]>(name: string, help: string, make: () => T): T => {
    const found = made.get(name);
    if (found) return found.metric as T;
    const metric = make();
    made.set(name, { name, help, metric });
    for (const watcher of watchers) watcher({ name, help, metric });
    return metric;
  };
  const registers = [registry];
  return {
    counter: (name, help, labels = []) =>
      existing(name, help, () => new Counter({ name, help, labelNames: [...labels], registers })),
    gauge: (name, help, labels = [], collect) =>
      existing(name, help, () => {
        const settings = { name, help, labelNames: [...labels], registers };
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
      existing(name, help, () => new Histogram({ name, help, buckets, labels, registry })),
    expose: (format) => textOf(metricsOf(registry), format),
    exposeUnnamed: async (format) => textOf(await Promise.all(metricsOf(registry).map(unnamed)), format),
    watch(watcher) {
      watchers.push(watcher);
      for (const each of made.values()) watcher(each);
    },
  };
}

const metricsOf = (registry: Registry<OpenMetricsContentType>): Metric[] =>
  registry.getMetricsAsArray().flatMap(({ name }) => registry.getSingleMetric(name) ?? []);

/** prom-client renames counters as it writes OpenMetrics: stand-ins keep the names of the metrics themselves. */
function textOf(metrics: readonly Metric[], format: ExpositionFormat): Promise<string> {
  const shown = new Registry<RegistryContentType>();
  shown.setContentType(contentTypes[format]);
  for (const metric of metrics) shown.registerMetric(Object.create(metric) as Metric);
  return shown.metrics();
}

/** Labels whose values are domains that mail goes to. */
const namingLabels: ReadonlySet<string> = new Set(["destination"]);

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
