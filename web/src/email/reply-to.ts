import type { ShownEmail } from "./email-page.tsx";

/** Who gets an answer: the one address of Reply-To, or else the author (RFC 5322 section 3.6.2); empty for a bounce. */
export function replyToOf({ headers, fromAddress, sender }: ShownEmail): string {
  const replyTo = headers?.find(({ name }) => name.toLowerCase() === "reply-to")?.value.trim() ?? "";
  const [, ofName] = /^(?:"[^"<>]*"\s*|[^"<>,]*)<([^<>\s,]+@[^<>\s,]+)>$/.exec(replyTo) ?? [];
  const alone = /^[^<>\s,]+@[^<>\s,]+$/.exec(replyTo)?.[0];
  return ofName ?? alone ?? (fromAddress || sender);
}

/** The subject of an answer (RFC 5322 section 3.6.5). */
export function replySubjectOf({ subject }: Pick<ShownEmail, "subject">): string {
  if (!subject) return "";
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}
