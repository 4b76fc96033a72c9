import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { topics } from "../../../proto/topics.ts";
import { event, type OutgoingEvent } from "../../platform/events/outbox/outbox.ts";
import { answerEvent } from "../answers/answer-event.ts";
import type { AdmittedAnswer } from "../answers/answer-policy.ts";
import type { Verdict } from "../authentication/verdict.ts";
import type { Author } from "./author.ts";
import type { ClientInfo } from "./client-info.ts";
import type { Email } from "./mail-transaction.ts";

/** A message whose bytes are stored. */
export interface ReceivedMessage {
  readonly rawId: string;
  readonly receivedAt: Date;
  readonly sizeBytes: number;
  readonly envelopeSender: string;
  readonly client: ClientInfo;
  readonly verdict: Verdict;
  /** Of the signatures of the author's domain: pass, fail, none or unknown. */
  readonly dkim: string;
  /** As rules ask about it: pass, fail, none or unknown. */
  readonly dmarcOfRules: string;
  /** The one mailbox in From; undefined where there is not exactly one. */
  readonly author: Author | undefined;
}

/** The event that is published for an email with the commit of its message. It carries the current trace context. */
export function acceptanceEvent(
  message: ReceivedMessage,
  { id: emailId, recipient, applied, discarded }: Email,
  answer?: AdmittedAnswer,
): OutgoingEvent {
  if (answer) return answerEvent(message, emailId, answer);
  const { rawId, sizeBytes, envelopeSender, client, verdict, dkim, dmarcOfRules } = message;
  const receivedAt = timestampFromDate(message.receivedAt);
  const common = { emailId, rawId, receivedAt, envelopeSender, recipient: recipient.address, sizeBytes };
  if (recipient.kind === "reverse") throw new Error("mail to a reverse address was not admitted");
  if (recipient.kind === "returned") return event(topics.mailReturned, create(topics.mailReturned.schema, common));
  if (recipient.kind === "complaint") return complaintEvent(message, emailId, recipient.address);
  const {
    bindingId,
    ownerId,
    proxyAddress,
    targets,
    unverifiedTargets,
    skippedTargets,
    callbackUrl,
    isBrowsable,
    answers,
    newAddress,
  } = recipient.route;
  // Named where it is needed alone.
  const author = answers ? message.author : undefined;
  return event(
    topics.mailAccepted,
    create(topics.mailAccepted.schema, {
      ...common,
      bindingId,
      ownerId,
      proxyAddress,
      targets,
      unverifiedTargets,
      skippedTargets,
      callbackUrl,
      isBrowsable,
      answers,
      author: author?.address ?? "",
      authorName: author?.name ?? "",
      clientAddress: client.address,
      clientName: client.name,
      protocol: client.protocol,
      tls: client.tls,
      smtpUtf8: client.isSmtpUtf8,
      eightBitMime: client.isEightBitMime,
      authenticationResults: verdict.results,
      authentication: {
        authorDomain: verdict.authorDomain,
        dmarc: verdict.dmarc,
        policy: verdict.policy,
        dkimAligned: verdict.isDkimAligned,
        spfAligned: verdict.isSpfAligned,
        spf: verdict.spf,
        arc: verdict.arc,
        mustReplaceFrom: verdict.mustReplaceFrom,
        dkim,
        dmarcOfRules,
      },
      discarded: discarded ?? "",
      ...(applied ? ruleOf(applied) : {}),
      ...(applied && newAddress ? { newBinding: newBindingOf(applied) } : {}),
    }),
  );
}

function complaintEvent(message: ReceivedMessage, emailId: string, recipient: string): OutgoingEvent {
  const { rawId, sizeBytes, verdict, receivedAt } = message;
  const reporter = verdict.dmarc === "pass" ? verdict.authorDomain : "";
  return event(
    topics.complaintReceived,
    create(topics.complaintReceived.schema, {
      emailId,
      rawId,
      recipient,
      sizeBytes,
      reporter,
      receivedAt: timestampFromDate(receivedAt),
    }),
  );
}

function ruleOf({ id: ruleId, title, effects, subjectTag }: NonNullable<Email["applied"]>) {
  return { rule: { ruleId, title, effects: [...effects], subjectTag } };
}

function newBindingOf({ formerRoute }: NonNullable<Email["applied"]>) {
  const { targets, unverifiedTargets, skippedTargets, isBrowsable } = formerRoute;
  const skipped = skippedTargets.filter(({ reason }) => reason === "unverified");
  return { targets, unverifiedTargets: [...unverifiedTargets, ...skipped], isBrowsable };
}
