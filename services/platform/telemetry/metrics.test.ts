import { afterEach, expect, test } from "@jest/globals";
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { createMetrics } from "./metrics.ts";
import { extractContext } from "./spans.ts";

afterEach(() => context.disable());

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

test("a bucket leads to a trace that was recorded, in OpenMetrics, and /metrics keeps its names in both forms", async () => {
  const metrics = createMetrics();
  const duration = metrics.histogram("postern_example_seconds", "How long", [1, 5], ["status"]);
  metrics.counter("postern_example_total", "How many").inc();
  duration.observe(0.5, { status: 200 }, extractContext({ traceparent: `00-${traceId}-${spanId}-00` }));
  duration.observe(3, { status: 200 }, extractContext({ traceparent: `00-${traceId}-${spanId}-01` }));
  duration.observe(9, { status: 200 }, trace.deleteSpan(ROOT_CONTEXT));
  const text = await metrics.expose("openmetrics");
  expect(text).toMatch(/# TYPE postern_example counter\n/);
  expect(text).toMatch(/^postern_example_total 1$/m);
  expect(text).toMatch(/# EOF\n$/);
  const exemplars = text.split("\n").filter((line) => line.includes(" # {"));
  expect(exemplars).toEqual([
    expect.stringMatching(
      new RegExp(
        `^postern_example_seconds_bucket{le="5",status="200"} 2 # {trace_id="${traceId}",span_id="${spanId}"} 3 `,
      ),
    ),
  ]);
  const plain = await metrics.expose("prometheus");
  expect(plain).toMatch(/# TYPE postern_example_total counter\npostern_example_total 1\n/);
  expect(plain).not.toContain(" # {");
});

test("what a gauge collects, and what stands under names of domains, is in OpenMetrics as well", async () => {
  const metrics = createMetrics();
  metrics.gauge("postern_rooms", "Rooms", ["destination"], (gauge) => {
    gauge.reset();
    gauge.set({ destination: "a.example" }, 2);
    gauge.set({ destination: "b.example" }, 3);
  });
  expect(await metrics.expose("openmetrics")).toContain('postern_rooms{destination="a.example"} 2\n');
  expect(await metrics.exposeUnnamed("openmetrics")).toContain("postern_rooms 5\n");
});
