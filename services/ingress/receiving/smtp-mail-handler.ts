import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import { splitAddress, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { isAscii } from "../../message/coding/ascii.ts";
import { annotate, type OpenSpan, openTrace, SpanKind } from "../../platform/telemetry/spans.ts";
import type { MailRules } from "../rules/mail-rules.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";
import type { MailHandler } from "../smtp/smtp-server.ts";
import { clientInfo } from "./client-info.ts";
import type { MailLimits } from "./mail-limits.ts";
import { MailTransaction } from "./mail-transaction.ts";
import type { MessageReceiver } from "./message-receiver.ts";
import type { NewAddresses } from "./new-addresses.ts";
import type { Recipient, Recipients } from "./recipients.ts";
import type { SmtpTelemetry } from "./smtp-telemetry.ts";

interface SmtpMailHandlerOptions {
  limits: MailLimits;
  recipients: Recipients;
  newAddresses: Pick<NewAddresses, "checkQuota">;
  rules: Pick<MailRules, "checkRecipient">;
  receiver: MessageReceiver;
  telemetry: SmtpTelemetry;
}

interface OpenTransaction {
  readonly transaction: MailTransaction;
  readonly span: OpenSpan;
}

/** Email ids in one reply line, which has at most 512 octets (RFC 5321 section 4.5.3.1.5). */
const idsPerReply = 10;

/** Handles mail transactions (RFC 5321 section 3.3): resolves recipients at RCPT, and answers DATA by 250 once the message is durable. */
export class SmtpMailHandler implements MailHandler {
  readonly #options: SmtpMailHandlerOptions;
  readonly #open = new WeakMap<SMTPServerSession, OpenTransaction>();

  constructor(options: SmtpMailHandlerOptions) {
    this.#options = options;
  }

  async mail(sender: string, session: SMTPServerSession): Promise<void> {
    this.#endTransaction(session);
    const attributes = { "client.address": session.remoteAddress };
    const span = openTrace("SMTP transaction", { kind: SpanKind.SERVER, attributes });
    this.#open.set(session, { transaction: new MailTransaction(withAsciiDomain(sender)), span });
    await this.#run(session, async () => {
      requireDeclaredUtf8(sender, session);
      await this.#options.limits.countMessage(session.remoteAddress);
    });
  }

  async recipient(address: string, session: SMTPServerSession): Promise<void> {
    await this.#run(session, async ({ transaction }) => {
      requireDeclaredUtf8(address, session);
      const [recipient, ...copies] = await this.#find(address, session.remoteAddress);
      try {
        if (!transaction.has(recipient)) await this.#add(transaction, recipient, session.remoteAddress);
      } catch (error) {
        // The operator's copy of a complaint comes whatever the owner's rules say.
        if (!isByRule(error) || copies.length === 0) throw error;
      }
      for (const copy of copies) if (!transaction.has(copy)) transaction.add(copy);
    });
  }

  /** An address that is refused counts as a message of its client: else one transaction could try all that there may be. */
  async #find(address: string, client: string): Promise<readonly [Recipient, ...Recipient[]]> {
    const { recipients, limits } = this.#options;
    try {
      return await recipients.find(address);
    } catch (error) {
      if (error instanceof SmtpRefusal && error.responseCode >= 500) await limits.countMessage(client);
      throw error;
    }
  }

  async #add(transaction: MailTransaction, recipient: Recipient, client: string): Promise<void> {
    const { limits, newAddresses, rules } = this.#options;
    if (!transaction.mayAdd(recipient)) throw new SmtpRefusal("oneReverseAddress");
    newAddresses.checkQuota(transaction, recipient);
    await rules.checkRecipient(transaction.envelopeSender, recipient, client);
    const bindingId = bindingOf(recipient);
    if (bindingId !== undefined) await limits.countRecipient(client, bindingId);
    transaction.add(recipient);
  }

  async data(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    try {
      return await this.#run(session, async ({ transaction }) => {
        const { message, emails } = await this.#options.receiver.receive(stream, transaction, clientInfo(session));
        this.#options.telemetry.accepted(message, emails);
        const ids = emails.slice(0, idsPerReply).map((email) => email.id);
        annotate({ "postern.email_ids": ids });
        const rest = emails.length > ids.length ? ` and ${emails.length - ids.length} more` : "";
        return `2.0.0 Accepted as ${ids.join(" ")}${rest}`;
      });
    } finally {
      // The rest of a message that was refused early is read and discarded, up to its final dot.
      stream.resume();
      this.#endTransaction(session);
    }
  }

  closed(session: SMTPServerSession): void {
    this.#endTransaction(session);
  }

  #endTransaction(session: SMTPServerSession): void {
    this.#open.get(session)?.span.end();
    this.#open.delete(session);
  }

  /** Runs a command in the trace of its transaction. @throws SmtpRefusal for every error: it is the reply. */
  async #run<T>(session: SMTPServerSession, run: (open: OpenTransaction) => Promise<T>): Promise<T> {
    const open = this.#open.get(session);
    if (!open) throw new Error("received a command outside a mail transaction");
    return open.span.run(async () => {
      try {
        return await run(open);
      } catch (error) {
        const refusal = this.#options.telemetry.refused(error, session.remoteAddress);
        annotate({ "postern.smtp.refusal": refusal.reason });
        // A refusal of ours is no error of the span.
        if (refusal !== error) open.span.fail(error);
        throw refusal;
      }
    });
  }
}

function isByRule(error: unknown): boolean {
  return error instanceof SmtpRefusal && (error.reason === "ruleRefused" || error.reason === "ruleLimited");
}

function bindingOf(recipient: Recipient): string | undefined {
  return recipient.kind === "binding" || recipient.kind === "reverse" ? recipient.route.bindingId : undefined;
}

/** @throws SmtpRefusal if the address needs SMTPUTF8 and MAIL FROM did not declare it (RFC 6531 section 3.4). */
function requireDeclaredUtf8(address: string, session: SMTPServerSession): void {
  if (!session.envelope.smtpUtf8 && !isAscii(splitAddress(address).localPart)) throw new SmtpRefusal("utf8NotDeclared");
}
