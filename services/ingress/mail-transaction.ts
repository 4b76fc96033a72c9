import type { SMTPServerSession } from "smtp-server";
import { newId } from "../platform/ids.ts";
import { operatorBindingId } from "./operator.ts";
import type { Recipient } from "./recipients.ts";

/** A recipient of a message as an email of its own. */
export interface Email {
  readonly id: string;
  readonly recipient: Recipient;
}

/** One mail transaction (RFC 5321 section 3.3): from MAIL FROM to the reply to DATA. */
export class MailTransaction {
  readonly envelopeSender: string;
  readonly #emails = new Map<string, Email>();

  constructor(envelopeSender: string) {
    this.envelopeSender = envelopeSender;
  }

  /** One for each binding, even if it is written to at several addresses or in several spellings: at the first of them. */
  get emails(): Email[] {
    return [...this.#emails.values()];
  }

  has(recipient: Recipient): boolean {
    return this.#emails.has(identityOf(recipient));
  }

  add(recipient: Recipient): void {
    this.#emails.set(identityOf(recipient), { id: newId(), recipient });
  }

  /**
   * Whether all of it is for postmaster, abuse or a reverse path: such mail is never refused for its author's sake. One such
   * recipient among others must not get a message past what would refuse it.
   */
  get isForServiceAlone(): boolean {
    return this.emails.every(
      ({ recipient }) => recipient.kind === "returned" || recipient.route.bindingId === operatorBindingId,
    );
  }

  /** What its recipients are called: as they were given, and as bindings writes them. */
  addresses(): string[] {
    return this.emails.flatMap(({ recipient }) =>
      recipient.kind === "binding" ? [recipient.address, recipient.route.proxyAddress] : [recipient.address],
    );
  }
}

function identityOf(recipient: Recipient): string {
  return recipient.kind === "binding" ? recipient.route.bindingId : recipient.address;
}

/** What is known of the client and its session, as of DATA. */
export interface ClientFacts {
  readonly address: string;
  /** What HELO or EHLO said, unproved. */
  readonly name: string;
  /** The "with" of a Received header (RFC 3848, RFC 6531 section 4.3). */
  readonly protocol: string;
  /** TLS version and cipher suite; "" without TLS. */
  readonly tls: string;
  readonly isSmtpUtf8: boolean;
  readonly isEightBitMime: boolean;
}

export function clientFacts(session: SMTPServerSession): ClientFacts {
  const { envelope, tlsOptions, transmissionType } = session;
  const isSmtpUtf8 = envelope.smtpUtf8 === true;
  return {
    address: session.remoteAddress,
    name: session.hostNameAppearsAs,
    protocol: isSmtpUtf8 ? transmissionType.replace(/^ESMTP/, "UTF8SMTP") : transmissionType,
    tls: tlsOptions ? `${tlsOptions.version} ${tlsOptions.standardName}` : "",
    isSmtpUtf8,
    isEightBitMime: envelope.bodyType === "8bitmime",
  };
}
