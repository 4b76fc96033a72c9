import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { Outage } from "../../platform/errors.ts";
import { createLogger, observeLines } from "../../platform/telemetry/logger.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;

beforeAll(async () => {
  db = await testDatabase({ schema: "forwarder", migrations: new URL("../migrations/", import.meta.url) });
  sink = await SmtpSink.start();
  const logger = createLogger({ LOG_LEVEL: "warn", LOG_FORMAT: "json" });
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url }, { logger });
});
afterEach(() => observeLines(undefined));
afterAll(async () => {
  await forwarder?.stop();
  await sink?.stop();
  await db?.dispose();
});

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
