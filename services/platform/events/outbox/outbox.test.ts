import { create } from "@bufbuild/protobuf";
import { expect, test } from "@jest/globals";
import { topics } from "../../../../proto/topics.ts";
import { loadConfig } from "../../config.ts";
import { isId } from "../../ids.ts";
import { telemetryConfig } from "../../telemetry/config.ts";
import { createLogger } from "../../telemetry/logger.ts";
import { createMetrics } from "../../telemetry/metrics.ts";
import { withSpan } from "../../telemetry/spans.ts";
import { startTelemetry } from "../../telemetry/start.ts";
import { event } from "./outbox.ts";

const message = create(topics.mailReleased.schema, { emailId: "e1", rawId: "r1" });

test("an event has the topic's name and key, an id of its own, and the message encoded", () => {
  const { id, topic, key, payload, headers } = event(topics.mailReleased, message);
  expect(isId(id)).toBe(true);
  expect({ topic, key, headers }).toEqual({ topic: "mail.released", key: "e1", headers: {} });
  expect(payload.toString("hex")).toBe("0a02653112027231");
});

test("an event goes on with the trace of its cause, else with that of the code that makes it", async () => {
  const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
  await startTelemetry({ config: loadConfig(telemetryConfig, {}), service: "test", logger, metrics: createMetrics() });
  await withSpan("work", {}, async (span) => {
    const { traceId } = span.spanContext();
    expect(event(topics.mailReleased, message).headers["traceparent"]).toContain(traceId);
    const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
    expect(event(topics.mailReleased, message, { trace }).headers).toEqual(trace);
  });
});

test("an event too large for a broker is refused where it is made", () => {
  const large = create(topics.mailReleased.schema, { emailId: "e1", rawId: "r".repeat(512 * 1024) });
  expect(() => event(topics.mailReleased, large)).toThrow("An event of mail.released has 524");
});
