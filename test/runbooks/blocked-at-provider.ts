import { match } from "node:assert/strict";
import { SinkRefusal, SmtpSink } from "../support/mail/smtp-sink.ts";
import type { Exercise } from "./exercise.ts";
import { restarted } from "./restarted.ts";

/** The relay refuses everything, since a list has its address. */
export const blockedAtProvider: Exercise = {
  async raise(fixture) {
    const refusing = await SmtpSink.start({
      atMessage: () => {
        throw new SinkRefusal(550, "5.7.1 Service unavailable, client host blocked using Spamhaus");
      },
    });
    fixture.defer(() => refusing.stop());
    await restarted(fixture, "forwarder", { OUTBOUND: refusing.url });
  },
  async mend(fixture, book) {
    const [, domain = ""] = fixture.installation.account.username.split("@");
    match(await book.run("node dist/admin.js destination pause DOMAIN", { DOMAIN: domain }), /is held back/);
    book.does("another way out: OUTBOUND by a relay with a good name");
    await restarted(fixture, "forwarder", { OUTBOUND: fixture.sink.url });
    await book.run("node dist/admin.js destination resume DOMAIN", { DOMAIN: domain });
  },
};
