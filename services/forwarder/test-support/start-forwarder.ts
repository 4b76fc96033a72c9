import { type SinkOptions, SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { forwarderDatabase } from "./database.ts";
import { ForwarderUnderTest } from "./forwarder.ts";

interface StartOptions {
  environment?: Readonly<Record<string, string>>;
  sinkOptions?: SinkOptions;
  /** One that is looked at. */
  logger?: Logger;
}

/** The service for all tests of a file, with what it stands on. */
interface StartedForwarder {
  db: TestDatabase;
  /** The server that it sends to. */
  sink: SmtpSink;
  forwarder: ForwarderUnderTest;
  stop(): Promise<void>;
}

export async function startForwarder({
  environment,
  sinkOptions,
  logger,
}: StartOptions = {}): Promise<StartedForwarder> {
  const db = await forwarderDatabase();
  const sink = await SmtpSink.start(sinkOptions);
  const forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url, ...environment }, logger && { logger });
  const stop = async () => {
    await forwarder.stop();
    await sink.stop();
    await db.dispose();
  };
  return { db, sink, forwarder, stop };
}
