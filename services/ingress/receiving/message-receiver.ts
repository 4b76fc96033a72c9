import type { SMTPServerDataStream } from "smtp-server";
import { BodyHash } from "../../message/dkim/body-hash.ts";
import type { HeaderField } from "../../message/header/fields.ts";
import type { BlobStore, PreparedBlob } from "../../platform/blobs/types.ts";
import { Outage } from "../../platform/errors.ts";
import type { AdmittedAnswer, AnswerPolicy } from "../answers/answer-policy.ts";
import {
  type AuthenticatorOptions,
  type MessageAuthentication,
  MessageAuthenticator,
} from "../authentication/message-authenticator.ts";
import { ownNameUse } from "../authentication/own-name-use.ts";
import { dkimOf, dmarcOf, messageFacts } from "../rules/mail-facts.ts";
import type { MailRules } from "../rules/mail-rules.ts";
import { type BadOctetTreatment, eightBitData } from "../smtp/eight-bit-data.ts";
import { messageBytes } from "../smtp/message-bytes.ts";
import type { GroupCommit } from "../storage/group-commit.ts";
import { acceptanceEvent, type ReceivedMessage } from "./acceptance-event.ts";
import { type Author, authorOf } from "./author.ts";
import type { BlockedContacts } from "./blocked-contacts.ts";
import type { ClientInfo } from "./client-info.ts";
import { addComplaint } from "./feedback-report.ts";
import { HeaderCollector } from "./header-collector.ts";
import { type Email, type MailTransaction, ownDomainsOf } from "./mail-transaction.ts";
import type { NewAddresses } from "./new-addresses.ts";
import { refuseLoops } from "./received-fields.ts";
import type { SenderPolicy } from "./sender-policy.ts";
import type { SmtpTelemetry } from "./smtp-telemetry.ts";

interface MessageReceiverOptions extends AuthenticatorOptions {
  blobs: BlobStore;
  groupCommit: GroupCommit;
  telemetry: SmtpTelemetry;
  badOctets: BadOctetTreatment;
  senderPolicy: SenderPolicy;
  blockedContacts: BlockedContacts;
  newAddresses: Pick<NewAddresses, "count">;
  rules: Pick<MailRules, "apply">;
  answerPolicy: Pick<AnswerPolicy, "admit">;
}

/** What is known of a message that is to be accepted. */
interface EvaluatedMessage {
  readonly transaction: MailTransaction;
  readonly client: ClientInfo;
  readonly author: Author | undefined;
  readonly answer: AdmittedAnswer | undefined;
  readonly authentication: MessageAuthentication;
}

/** A durable message and its emails: one per binding and subaddress. */
interface AcceptedMessage {
  readonly message: ReceivedMessage;
  readonly emails: readonly Email[];
}

/**
 * Receives the content of a message: checks and authenticates the bytes while they are stored, then commits them with their events.
 * The 250 comes after that.
 */
export class MessageReceiver {
  readonly #options: MessageReceiverOptions;

  constructor(options: MessageReceiverOptions) {
    this.#options = options;
  }

  /** @throws SmtpRefusal for what is wrong with the message; any other error if it could not be made durable. */
  async receive(
    stream: SMTPServerDataStream,
    transaction: MailTransaction,
    client: ClientInfo,
  ): Promise<AcceptedMessage> {
    const { blobs, serviceDomain, badOctets } = this.#options;
    const header = new HeaderCollector();
    const identity = {
      clientAddress: client.address,
      clientName: client.name,
      envelopeSender: transaction.envelopeSender,
    };
    using authenticator = new MessageAuthenticator(this.#options, identity, header);
    const content = eightBitData(messageBytes(stream), badOctets);
    const body = transaction.reverseEmail ? new BodyHash() : undefined;
    const blob = await blobs.prepare(authenticator.read(header.collectFrom(content, body)));
    try {
      refuseLoops(header.fields, transaction.addresses(), serviceDomain);
      const authentication = await authenticator.result(transaction.ownDomains(serviceDomain));
      if (authentication.fault) this.#options.telemetry.authenticationFailed(authentication.fault, client.address);
      await this.#options.senderPolicy.check(authentication, transaction);
      const author = authorOf(header.fields);
      const answer = await this.#admitAnswer(transaction, header.fields, authentication, body);
      if (!answer) await this.#options.blockedContacts.exclude(transaction, authentication.authors, author);
      const facts = () => messageFacts(header.fields, author, authentication, blob.sizeBytes);
      await this.#options.rules.apply(transaction, facts, client.address);
      await this.#options.newAddresses.count(transaction);
      addComplaint(transaction, header.fields);
      return await this.#accept(blob, { transaction, client, author, answer, authentication });
    } catch (error) {
      // After an Outage the commit may have happened, so the bytes must stay; if it did not, they are removed as unattached.
      if (!(error instanceof Outage)) await blobs.discard(blob);
      throw error;
    }
  }

  /** Undefined for what is not written to a reverse address. */
  async #admitAnswer(
    { reverseEmail }: MailTransaction,
    fields: readonly HeaderField[],
    authentication: MessageAuthentication,
    body: BodyHash | undefined,
  ): Promise<AdmittedAnswer | undefined> {
    if (!reverseEmail || !body) return undefined;
    const { address: reverseAddress, route } = reverseEmail.recipient;
    return this.#options.answerPolicy.admit({
      fields,
      authentication,
      bodyHash: body.digest(),
      reverseAddress,
      contactId: route.contactId,
    });
  }

  async #accept(
    blob: PreparedBlob,
    { transaction, client, author, answer, authentication }: EvaluatedMessage,
  ): Promise<AcceptedMessage> {
    const { envelopeSender } = transaction;
    const emails = [...transaction.emails, ...transaction.discarded];
    const message: ReceivedMessage = {
      rawId: blob.id,
      receivedAt: new Date(),
      sizeBytes: blob.sizeBytes,
      envelopeSender,
      client,
      verdict: authentication.verdict,
      dkim: dkimOf(authentication),
      dmarcOfRules: dmarcOf(authentication),
      author,
    };
    const { serviceDomain } = this.#options;
    const eventOf = (email: Email) =>
      acceptanceEvent({ ...message, verdict: verdictFor(email, authentication, serviceDomain) }, email, answer);
    const isNew = await this.#options.groupCommit.commit({
      rawMessage: {
        blob,
        emailIds: emails.map((email) => email.id),
        events: emails.map(eventOf),
        expectedReads: emails.reduce((sum, email) => sum + expectedReads(email), 0),
      },
      digest: answer?.digest,
    });
    if (!isNew) await this.#options.blobs.discard(blob);
    return { message, emails };
  }
}

/** Once for each delivery, and once for who parses it, takes the answer apart, or reads the report. */
function expectedReads({ recipient }: Email): number {
  if (recipient.kind !== "binding") return 1;
  const { targets, isBrowsable, callbackUrl } = recipient.route;
  return targets.length + (isBrowsable || callbackUrl !== "" ? 1 : 0);
}

/** What another recipient's domain is signed with changes nothing for this one. */
function verdictFor(email: Email, { verdict, authors, authorVerdicts }: MessageAuthentication, serviceDomain: string) {
  const ownName = ownNameUse(authors, authorVerdicts, serviceDomain, ownDomainsOf(email, serviceDomain));
  return { ...verdict, mustReplaceFrom: ownName.isUnproved };
}
