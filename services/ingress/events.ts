import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { topics } from "../../proto/topics.ts";
import { event, type OutgoingEvent } from "../platform/events/outbox.ts";
import type { Verdict } from "./authentication/verdict.ts";
import type { ClientFacts, Email } from "./mail-transaction.ts";

/** A message whose bytes are in hand. */
export interface ReceivedMessage {
  readonly rawId: string;
  readonly receivedAt: Date;
  readonly sizeBytes: number;
  readonly envelopeSender: string;
  readonly client: ClientFacts;
  readonly verdict: Verdict;
}

/** What is to be said of an email once it is accepted. Belongs to the trace that this runs under. */
export function acceptanceOf(message: ReceivedMessage, { id: emailId, recipient }: Email): OutgoingEvent {
  const { rawId, sizeBytes, envelopeSender, client, verdict } = message;
  const receivedAt = timestampFromDate(message.receivedAt);
  const common = { emailId, rawId, receivedAt, envelopeSender, recipient: recipient.address, sizeBytes };
  if (recipient.kind === "returned") return event(topics.mailReturned, create(topics.mailReturned.schema, common));
  const { bindingId, ownerId, proxyAddress, targets, callbackUrl, isBrowsable } = recipient.route;
  return event(
    topics.mailAccepted,
    create(topics.mailAccepted.schema, {
      ...common,
      bindingId,
      ownerId,
      proxyAddress,
      targets,
      callbackUrl,
      isBrowsable,
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
      },
    }),
  );
}
