import type { SMTPServerDataStream } from "smtp-server";
import type { BlobStore, PreparedBlob } from "../platform/blobs/types.ts";
import { Outage } from "../platform/errors.ts";
import type { Acceptances } from "./acceptance.ts";
import { Examination, type ExaminationOptions } from "./authentication/examination.ts";
import type { Verdict } from "./authentication/verdict.ts";
import { acceptanceOf, type ReceivedMessage } from "./events.ts";
import { HeaderBlock } from "./header-block.ts";
import type { ClientFacts, Email, MailTransaction } from "./mail-transaction.ts";
import type { Observations } from "./observations.ts";
import type { SenderPolicy } from "./sender-policy.ts";
import { type BadOctets, eightBitData } from "./smtp/eight-bit-data.ts";
import { messageBytes } from "./smtp/message-bytes.ts";
import { refuseLoops } from "./trace-check.ts";

export interface IntakeOptions extends ExaminationOptions {
  blobs: BlobStore;
  acceptances: Acceptances;
  observations: Observations;
  badOctets: BadOctets;
  senderPolicy: SenderPolicy;
}

/** A message that is durable, as the emails that it has become. */
export interface Accepted {
  readonly message: ReceivedMessage;
  readonly emails: readonly Email[];
}

/**
 * What happens between DATA and its 250: the bytes are looked at as they pass, kept, and made durable with what is said
 * of them.
 */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** @throws SmtpRefusal for what is wrong with the message; anything else that keeps it from being durable. */
  async take(stream: SMTPServerDataStream, transaction: MailTransaction, client: ClientFacts): Promise<Accepted> {
    const { blobs, serviceDomain, badOctets } = this.#options;
    const header = new HeaderBlock();
    const provenance = {
      clientAddress: client.address,
      clientName: client.name,
      envelopeSender: transaction.envelopeSender,
    };
    using examination = new Examination(this.#options, provenance, header);
    const content = eightBitData(messageBytes(stream), badOctets);
    const blob = await blobs.prepare(examination.watch(header.collectFrom(content)));
    try {
      refuseLoops(header.fields, transaction.addresses(), serviceDomain);
      const examined = await examination.conclude();
      if (examined.fault) this.#options.observations.notJudged(examined.fault, client.address);
      await this.#options.senderPolicy.check(examined, transaction);
      return await this.#accept(blob, transaction, client, examined.verdict);
    } catch (error) {
      // A commit whose answer was lost may have happened: then the bytes must stay. If it did not, they are swept.
      if (!(error instanceof Outage)) await blobs.discard(blob);
      throw error;
    }
  }

  async #accept(
    blob: PreparedBlob,
    transaction: MailTransaction,
    client: ClientFacts,
    verdict: Verdict,
  ): Promise<Accepted> {
    const { emails, envelopeSender } = transaction;
    const message: ReceivedMessage = {
      rawId: blob.id,
      receivedAt: new Date(),
      sizeBytes: blob.sizeBytes,
      envelopeSender,
      client,
      verdict,
    };
    await this.#options.acceptances.accept({
      message: { blob, emailIds: emails.map((email) => email.id) },
      events: emails.map((email) => acceptanceOf(message, email)),
    });
    return { message, emails };
  }
}
