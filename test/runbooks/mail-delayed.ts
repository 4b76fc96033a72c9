import { match } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { inFlightLimit } from "../faults/fault-fixture.ts";
import { SmtpSink } from "../support/mail/smtp-sink.ts";
import type { Exercise } from "./exercise.ts";
import { restarted } from "./restarted.ts";

/** More mail than forwarder can send: one delivery at a time, a second each. */
export const mailDelayed: Exercise = {
  async raise(fixture) {
    const slow = await SmtpSink.start({
      onMailFrom: (_address, _session, done) => void delay(1_000).then(() => done()),
    });
    fixture.defer(() => slow.stop());
    await restarted(fixture, "forwarder", { OUTBOUND: slow.url, FORWARD_CONCURRENCY: "1" });
  },
  async mend(fixture, book) {
    match(await book.run("npm run admin -- destination list"), /example\.org/);
    book.does("scale forwarder: as many deliveries at once as before, to the relay of before");
    await restarted(fixture, "forwarder", {
      OUTBOUND: fixture.sink.url,
      FORWARD_CONCURRENCY: String(inFlightLimit),
    });
  },
};
