import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { extractContext } from "../../platform/telemetry/spans.ts";
import type { TraceHeaders } from "../../platform/telemetry/trace-context.ts";
import type { CallResult } from "../calls/call.ts";

/** From a target next door to one that just makes it (15 s). */
const durationBucketsS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Counts and times results by outcome. A release without an attempt is none. */
export function attemptObserver(metrics: Metrics): (result: CallResult, trace: TraceHeaders) => void {
  const counter = metrics.counter("postern_callback_total", "Callbacks, by what came of an attempt", ["outcome"]);
  const histogram = metrics.histogram(
    "postern_callback_duration_seconds",
    "How long attempts at callbacks took",
    durationBucketsS,
    ["outcome"],
  );
  return ({ state, attempt }, trace) => {
    const outcome = state === "waiting" ? "deferred" : state;
    if (attempt || state !== "waiting") counter.inc({ outcome });
    if (attempt) histogram.observe(attempt.durationMs / 1_000, { outcome }, extractContext(trace));
  };
}
