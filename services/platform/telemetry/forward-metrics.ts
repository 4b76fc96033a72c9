import type { Meter } from "@opentelemetry/api";
import { Counter } from "prom-client";
import { Histogram } from "./histogram.ts";
import type { Metrics } from "./metrics.ts";

/** What Prometheus has as a suffix and OpenTelemetry as kind or unit; exporters to Prometheus add the suffix again. */
const units: Readonly<Record<string, string>> = { _seconds: "s", _bytes: "By" };

/** Sends the process's metrics to a collector as well, under names that make those of /metrics again in Prometheus. */
export function forwardMetrics(metrics: Metrics, meter: Meter): void {
  metrics.watch(({ name, help, metric }) => {
    const [suffix = ""] = /_(?:seconds|bytes|total)$/.exec(name) ?? [];
    const given = name.slice(0, name.length - suffix.length).replace(/^postern_/, "postern.");
    const settings = { description: help, unit: units[suffix] ?? "" };
    if (metric instanceof Histogram) {
      const advice = { explicitBucketBoundaries: [...metric.buckets] };
      const histogram = meter.createHistogram(given, { ...settings, advice });
      metric.observer = (value, labels, within) => histogram.record(value, labels, within);
      return;
    }
    const instrument =
      metric instanceof Counter
        ? meter.createObservableCounter(given, settings)
        : meter.createObservableGauge(given, settings);
    instrument.addCallback(async (result) => {
      for (const { value, labels } of (await metric.get()).values) result.observe(value, labels);
    });
  });
}
