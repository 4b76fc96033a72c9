import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { storableText } from "../../platform/storable-text.ts";
import type { NewTimelineEntry } from "./timeline.ts";
import type { TimelineKind } from "./timeline-kinds.ts";

/** RFC 5321 section 4.5.3.1.3 allows 256 octets of path. */
export const pathLimit = 512;

/** What is known of an email's way as it arrives: what it waits for, and what rules and blocks made of it. */
export function arrivalEntries(mail: MailAccepted): NewTimelineEntry[] {
  return [...heldEntries(mail), ...skippedEntries(mail), ...ruleEntries(mail), ...discardedEntries(mail)];
}

/** Which rule decided about it, and what it did. */
function ruleEntries({ emailId, receivedAt, rule }: MailAccepted): NewTimelineEntry[] {
  if (!rule) return [];
  const isDiscarded = rule.effects.some((effect) => effect === "refused" || effect === "discarded");
  return [
    {
      emailId,
      kind: isDiscarded ? "discarded" : "rule_applied",
      targetId: rule.ruleId,
      attemptCount: 0,
      at: receivedAt ? timestampDate(receivedAt) : new Date(),
      target: storableText(rule.title, pathLimit),
      detail: rule.effects.map((effect) => effect.replaceAll("-", " ")).join(", "),
      isEnd: false,
    },
  ];
}

const discardReasons: Readonly<Record<string, string>> = {
  forged: "The domain of its author asks for what it did not send to be refused (DMARC).",
  "sender-blocked": "You have blocked its sender.",
};

/** Why nobody gets it, while others get the message. */
function discardedEntries({ emailId, receivedAt, discarded }: MailAccepted): NewTimelineEntry[] {
  if (discarded === "") return [];
  return [
    {
      emailId,
      kind: "discarded",
      targetId: null,
      target: null,
      attemptCount: 0,
      isEnd: false,
      at: receivedAt ? timestampDate(receivedAt) : new Date(),
      detail: `${discardReasons[discarded] ?? discarded} The message was taken for its other recipients.`,
    },
  ];
}

/** The email is not forwarded to these yet. */
function heldEntries({ emailId, receivedAt, unverifiedTargets }: MailAccepted): NewTimelineEntry[] {
  return unverifiedTargets.map(({ addressId, address }) => ({
    emailId,
    kind: "held",
    targetId: addressId,
    attemptCount: 0,
    at: receivedAt ? timestampDate(receivedAt) : new Date(),
    target: storableText(address, pathLimit),
    detail: "until the address is verified",
    isEnd: false,
  }));
}

const skippedKinds: Readonly<Record<string, TimelineKind>> = {
  unverified: "skipped_unverified",
  "switched-off": "skipped_switched_off",
  suspended: "skipped_suspended",
};

/** These do not get it, though it came to their binding. A reason of a later release is passed over. */
function skippedEntries({ emailId, receivedAt, skippedTargets }: MailAccepted): NewTimelineEntry[] {
  return skippedTargets.flatMap(({ addressId, address, reason }) => {
    const kind = skippedKinds[reason];
    if (!kind) return [];
    const at = receivedAt ? timestampDate(receivedAt) : new Date();
    const target = storableText(address, pathLimit);
    return [{ emailId, kind, targetId: addressId, attemptCount: 0, at, target, detail: null, isEnd: false }];
  });
}

/** Its content is not kept. */
export function overQuotaEntry(emailId: string): NewTimelineEntry {
  const detail = "The storage of the account is full.";
  return {
    emailId,
    kind: "not_kept",
    targetId: null,
    attemptCount: 0,
    at: new Date(),
    target: null,
    detail,
    isEnd: false,
  };
}
