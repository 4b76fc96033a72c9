import type { z } from "zod";
import type { Attachment } from "../contract.ts";
import { canonicalName, type Header, lastValue } from "../mime/headers.ts";
import { stripHtml } from "./html-quotations.ts";
import { htmlToText } from "./html-to-text.ts";
import { stripText } from "./text-quotations.ts";
import { textToHtml } from "./text-to-html.ts";

/** A stored email. */
export interface Received {
  readonly receivedAt: Date;
  /** MAIL FROM; "" for a bounce. */
  readonly sender: string;
  /** RCPT TO, as it was given. */
  readonly recipient: string;
  readonly subject: string;
  readonly headers: readonly Header[];
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly z.infer<typeof Attachment>[];
}

export interface Payload extends Readonly<Record<string, unknown>> {
  readonly "body-plain": string;
  readonly "body-html": string;
}

/**
 * An email in the inbound-parse format (interface decisions, "Received emails"; specification 2.3). Built on demand rather than
 * stored, because it repeats the same text several times.
 */
export function buildPayload(email: Received): Payload {
  const html = isBlank(email.html) ? undefined : email.html;
  const plain = isBlank(email.text) ? undefined : email.text;
  const strippedHtml = html === undefined ? undefined : stripHtml(html);
  const bodies = bodiesOf(email);
  const stripped = stripText(plain ?? (strippedHtml === undefined ? "" : htmlToText(strippedHtml)));
  return {
    To: "",
    ...headerFields(email.headers),
    From: lastValue(email.headers, "from") ?? "",
    Subject: email.subject,
    Sender: lastValue(email.headers, "sender") || email.sender || (lastValue(email.headers, "from") ?? ""),
    from: lastValue(email.headers, "from") ?? "",
    subject: email.subject,
    recipient: email.recipient,
    sender: email.sender,
    domain: email.recipient.slice(email.recipient.lastIndexOf("@") + 1).toLowerCase(),
    timestamp: Math.floor(email.receivedAt.getTime() / 1_000),
    "body-plain": bodies.text,
    "body-html": bodies.html,
    "stripped-text": stripped.text,
    "stripped-html": strippedHtml ?? textToHtml(stripped.text),
    "stripped-signature": stripped.signature,
    "message-headers": JSON.stringify(email.headers),
    attachments: email.attachments.length === 0 ? null : email.attachments.map(attachmentDocument),
  };
}

/** Both bodies; a missing one is converted from the other. */
export function bodiesOf({ text, html }: Pick<Received, "text" | "html">): { text: string; html: string } {
  if (isBlank(html)) return { text: isBlank(text) ? "" : text, html: textToHtml(isBlank(text) ? "" : text) };
  return { text: isBlank(text) ? htmlToText(html) : text, html };
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === "";
}

/** Every header under its own name; of repeated ones the last. */
function headerFields(headers: readonly Header[]): Record<string, string> {
  const named = headers.map(([name, value]) => [canonicalName(name), value] as const);
  return Object.fromEntries(named.filter(([name]) => name !== "__proto__"));
}

/** An attachment as `payload.attachments` and REST's `attributes.attachments` show it. */
function attachmentDocument({ filename, mime, sizeBytes, contentId, url }: z.infer<typeof Attachment>) {
  return { filename, mime, size: sizeBytes, content_id: contentId, url };
}
