import { setTimeout as delay } from "node:timers/promises";
import type { FaultFixture } from "../faults/fault-fixture.ts";
import { MailLoad } from "../support/mail/mail-load.ts";
import { sendMail } from "../support/mail/send-mail.ts";

// What happens beside any mail that gets on, and has panels of its own.

interface Mishaps {
  stop(): Promise<void>;
}

const restMs = 3_000;

/** Mail to an address that is not there, which is refused. */
export function sendToNobody({ installation, browsable }: FaultFixture): Mishaps {
  const [, domain = ""] = browsable.proxyAddress.split("@");
  const recipients = [[`nobody@${domain}`]];
  return new MailLoad({ port: installation.smtpPort, name: "nobody", recipients, sessions: 1, restMs });
}

/** Now and then the server of a recipient takes a message, and sends word later that it will be late. */
export function sendBounces({ installation, sink }: FaultFixture): Mishaps {
  const stopping = new AbortController();
  const { signal } = stopping;
  const send = async () => {
    while (!signal.aborted) {
      const last = sink.messages.findLast(({ sender }) => sender !== "");
      // What an outage defers, a server would send again.
      if (last) await sendMail(installation.smtpPort, bounceOf(last.sender, last.recipient)).catch(() => undefined);
      await delay(restMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const sending = send();
  return {
    stop: () => {
      stopping.abort();
      return sending;
    },
  };
}

/** RFC 3464. */
function bounceOf(sender: string, recipient: string) {
  const raw = [
    "From: mailer-daemon@example.org",
    `To: ${sender}`,
    "Subject: Delayed",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
    "",
    "--r",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; example.org",
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    "Action: delayed",
    "Status: 4.2.2",
    "Diagnostic-Code: smtp; 452 4.2.2 Mailbox full",
    "",
    "--r--",
    "",
  ].join("\r\n");
  return { envelope: { from: "", to: sender }, raw };
}
