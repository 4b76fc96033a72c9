import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import { Outage } from "../../platform/errors.ts";
import { createLogger, observeLines } from "../../platform/telemetry/logger.ts";
import type { ForwarderUnderTest } from "../test-support/forwarder.ts";
import { startForwarder } from "../test-support/start-forwarder.ts";

let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let stop: () => Promise<void>;

beforeAll(async () => {
  const logger = createLogger({ LOG_LEVEL: "warn", LOG_FORMAT: "json" });
  ({ sink, forwarder, stop } = await startForwarder({ logger }));
});
afterEach(() => observeLines(undefined));
afterAll(() => stop());

test("what deliveries wait for the end of is said once a minute", async () => {
  const lines: Record<string, unknown>[] = [];
  observeLines((line) => lines.push(JSON.parse(line)));
  const cause = new Error("no thread is left");
  const outage = new Outage("signatures", { retryAfterS: 0, cause });
  forwarder.outages.push(outage, outage, outage);
  const { emailId } = await forwarder.accept("From: a@x.example\r\n\r\nx\r\n", ["real@x.example"]);
  await sink.received(1);
  const err = expect.objectContaining({ message: expect.stringContaining("no thread is left") });
  const msg = "delivery postponed by an outage";
  expect(lines).toEqual([expect.objectContaining({ level: "warn", what: "signatures", emailId, err, msg })]);
});
