import { parseAddressList } from "../../message/address/address-list.ts";
import { bytesAsText, fieldsNamed, type HeaderField, unfoldedBody } from "../../message/header/fields.ts";
import { factsOfHeader } from "../../message/rules/facts-of-header.ts";
import type { MailFacts, RuleVerdict } from "../../message/rules/match-rule.ts";
import { normalizeAddress, normalizeTag } from "../../message/rules/normalize-values.ts";
import { areAligned } from "../../platform/net/organisational-domain.ts";
import { membershipOf } from "../../platform/net/special-ranges.ts";
import type { MessageAuthentication } from "../authentication/message-authenticator.ts";
import type { Author } from "../receiving/author.ts";

/** Authors in From that are looked at. */
const authorLimit = 100;
const fieldLimit = 10;
const fromCharacters = 16 * 1024;

/** What is known when a recipient is named. @param sender "" for the null sender */
export function envelopeFacts(sender: string, recipient: string, clientAddress: string): MailFacts {
  return {
    sender: sender === "" ? "" : normalizeAddress(sender),
    tag: normalizeTag(recipient),
    isClientIn: membershipOf(clientAddress),
  };
}

/** What is known once the message is there; the same for all recipients. */
export function messageFacts(
  fields: readonly HeaderField[],
  author: Author | undefined,
  authentication: MessageAuthentication,
  sizeBytes: number,
): MailFacts {
  const named = authentication.authors.addresses.map(({ localPart, domain }) => `${localPart}@${domain}`);
  const from = [author?.address ?? "", ...named.slice(0, authorLimit), ...mailboxesIn(fields)];
  return {
    ...factsOfHeader(fields),
    from: [...new Set(from.filter((each) => each !== "").map(normalizeAddress))],
    dmarc: dmarcOf(authentication),
    dkim: dkimOf(authentication),
    sizeBytes,
  };
}

/** Also where From is too long or too odd for authentication: nobody gets past a rule by that. */
function mailboxesIn(fields: readonly HeaderField[]): string[] {
  const bodies = fieldsNamed(fields, "from").map((field) => bytesAsText(unfoldedBody(field)).slice(0, fromCharacters));
  const mailboxes = bodies
    .slice(0, fieldLimit)
    .flatMap((body) => parseAddressList(body).mailboxes.slice(0, authorLimit));
  return mailboxes.filter(({ domain }) => domain !== "").map(({ localPart, domain }) => `${localPart}@${domain}`);
}

/** As rules ask about it. */
export function dmarcOf({ verdict, authors, fault }: MessageAuthentication): RuleVerdict {
  if (fault !== undefined || authors.isUnreadable) return "unknown";
  const { dmarc } = verdict;
  return dmarc === "pass" || dmarc === "fail" || dmarc === "none" ? dmarc : "unknown";
}

/** Of the signatures of the authors' domains: who else signed a message says nothing of who wrote it. */
export function dkimOf({ verdict, authors, signatures, fault }: MessageAuthentication): RuleVerdict {
  if (fault !== undefined || authors.isUnreadable) return "unknown";
  if (verdict.isDkimAligned) return "pass";
  const domains = new Set(authors.addresses.map(({ domain }) => domain));
  const related = signatures.filter((signature) => [...domains].some((domain) => areAligned(domain, signature.domain)));
  if (related.length === 0) return "none";
  return related.some(({ result }) => result === "temperror") ? "unknown" : "fail";
}
