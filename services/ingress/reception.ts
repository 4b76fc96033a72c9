import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import { isAscii, splitAddress, withAsciiDomain } from "../message/address/addr-spec.ts";
import { annotate, type OpenSpan, openTrace, SpanKind } from "../platform/telemetry/spans.ts";
import type { Intake } from "./intake.ts";
import type { MailLimits } from "./mail-limits.ts";
import { clientFacts, MailTransaction } from "./mail-transaction.ts";
import type { Observations } from "./observations.ts";
import type { Recipients } from "./recipients.ts";
import { SmtpRefusal } from "./smtp/refusals.ts";
import type { MailHandler } from "./smtp/server.ts";

export interface ReceptionOptions {
  limits: MailLimits;
  recipients: Recipients;
  intake: Intake;
  observations: Observations;
}

interface Open {
  readonly transaction: MailTransaction;
  readonly span: OpenSpan;
}

/** As many ids as fit a reply line (512 octets, RFC 5321 section 4.5.3.1.5) with room to spare. */
const idsPerReply = 10;

/** Takes mail: who it is for is asked at RCPT, and the 250 to DATA comes once it is durable. */
export class Reception implements MailHandler {
  readonly #options: ReceptionOptions;
  readonly #open = new WeakMap<SMTPServerSession, Open>();

  constructor(options: ReceptionOptions) {
    this.#options = options;
  }

  async mail(sender: string, session: SMTPServerSession): Promise<void> {
    this.closed(session);
    const attributes = { "client.address": session.remoteAddress };
    const span = openTrace("SMTP transaction", { kind: SpanKind.SERVER, attributes });
    this.#open.set(session, { transaction: new MailTransaction(withAsciiDomain(sender)), span });
    await this.#within(session, async () => {
      requireDeclaredUtf8(sender, session);
      await this.#options.limits.takeMessage(session.remoteAddress);
    });
  }

  async recipient(address: string, session: SMTPServerSession): Promise<void> {
    const { limits, recipients } = this.#options;
    await this.#within(session, async ({ transaction }) => {
      requireDeclaredUtf8(address, session);
      const recipient = await recipients.find(address);
      if (transaction.has(recipient)) return;
      if (recipient.kind === "binding") await limits.takeRecipient(session.remoteAddress, recipient.route.bindingId);
      transaction.add(recipient);
    });
  }

  async data(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    try {
      return await this.#within(session, async ({ transaction }) => {
        const { message, emails } = await this.#options.intake.take(stream, transaction, clientFacts(session));
        this.#options.observations.accepted(message, emails);
        const ids = emails.slice(0, idsPerReply).map((email) => email.id);
        annotate({ "postern.email_ids": ids });
        const rest = emails.length > ids.length ? ` and ${emails.length - ids.length} more` : "";
        return `2.0.0 Accepted as ${ids.join(" ")}${rest}`;
      });
    } finally {
      // What is left of a message that is refused halfway is read and thrown away, up to its final dot.
      stream.resume();
      this.closed(session);
    }
  }

  closed(session: SMTPServerSession): void {
    this.#open.get(session)?.span.end();
    this.#open.delete(session);
  }

  /** Runs a command in the trace of its transaction; whatever goes wrong becomes the refusal to be sent. */
  async #within<T>(session: SMTPServerSession, run: (open: Open) => Promise<T>): Promise<T> {
    const open = this.#open.get(session);
    if (!open) throw new Error("a command came outside of any mail transaction");
    return open.span.run(async () => {
      try {
        return await run(open);
      } catch (error) {
        const refusal = this.#options.observations.refused(error, session.remoteAddress);
        annotate({ "postern.smtp.refusal": refusal.reason });
        // That mail is refused is what we are for.
        if (refusal !== error) open.span.fail(error);
        throw refusal;
      }
    });
  }
}

/** @throws SmtpRefusal where an address needs SMTPUTF8 and MAIL FROM did not say it (RFC 6531 section 3.4). */
function requireDeclaredUtf8(address: string, session: SMTPServerSession): void {
  if (!session.envelope.smtpUtf8 && !isAscii(splitAddress(address).localPart)) throw new SmtpRefusal("utf8NotDeclared");
}
