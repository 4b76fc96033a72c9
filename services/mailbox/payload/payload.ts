import type { z } from "zod";
import { domainOf } from "../../message/address/addr-spec.ts";
import type { Attachment } from "../contract.ts";
import type { ContentLimits } from "../limits.ts";
import { canonicalName, type Header, lastValue } from "../mime/headers.ts";
import { type Bodies, completeBodies, isBlank } from "./bodies.ts";
import { fitTexts, maxEscapeBytes, maxNestedEscapeBytes } from "./fit-texts.ts";
import { stripHtml } from "./html-quotations.ts";
import { htmlToText } from "./html-to-text.ts";
import { StepBudget } from "./step-budget.ts";
import { stripText } from "./text-quotations.ts";
import { textForHtml, textToHtml } from "./text-to-html.ts";

/** Quotation marks, brackets and commas. */
const headerOverhead = 10;
/** An attachment's name, media type, Content-ID and link, all escaped. */
const maxAttachmentBytes = 20_000;

/** What a payload is made of, besides the bodies. */
export interface PayloadSource {
  readonly receivedAt: Date;
  /** MAIL FROM; "" for a bounce. */
  readonly sender: string;
  /** RCPT TO, as it was given. */
  readonly recipient: string;
  readonly headers: readonly Header[];
  readonly attachments: readonly z.infer<typeof Attachment>[];
}

export type Payload = Readonly<Record<string, unknown>>;

export interface BuiltPayload {
  readonly payload: Payload;
  /** A text was cut to the limit. */
  readonly isTruncated: boolean;
}

/**
 * An email in the inbound-parse format, within the limit. Built on demand rather than
 * stored, because it repeats the same text several times.
 */
export function buildPayload(email: PayloadSource & Bodies, limits: ContentLimits): BuiltPayload {
  const { texts, isTruncated } = payloadTexts(email, limits);
  const before = {
    To: "",
    ...headerFields(email.headers),
    From: lastValue(email.headers, "from") ?? "",
    Subject: lastValue(email.headers, "subject") ?? "",
    Sender: lastValue(email.headers, "sender") || email.sender || (lastValue(email.headers, "from") ?? ""),
    from: lastValue(email.headers, "from") ?? "",
    subject: lastValue(email.headers, "subject") ?? "",
    recipient: email.recipient,
    sender: email.sender,
    domain: domainOf(email.recipient),
    timestamp: Math.floor(email.receivedAt.getTime() / 1_000),
  };
  const after = {
    "message-headers": JSON.stringify(email.headers),
    attachments: email.attachments.length === 0 ? null : email.attachments.map(attachmentDocument),
  };
  if (longestJson(email, texts) <= limits.payloadBytes)
    return { payload: { ...before, ...texts, ...after }, isTruncated };
  const empty = Object.fromEntries(Object.keys(texts).map((name) => [name, ""]));
  const room = limits.payloadBytes - Buffer.byteLength(JSON.stringify({ ...before, ...empty, ...after }));
  const fitted = fitTexts(texts, room);
  return { payload: { ...before, ...fitted.texts, ...after }, isTruncated: isTruncated || fitted.isCut };
}

/** What the payload takes as JSON at most: known at once, where to measure it takes time. */
function longestJson({ headers, attachments }: PayloadSource, texts: Readonly<Record<string, string>>): number {
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
  const headerCharacters = sum(headers.map(([name, value]) => name.length + value.length + headerOverhead));
  const textCharacters = sum(Object.values(texts).map(({ length }) => length));
  return (
    textCharacters * maxEscapeBytes +
    headerCharacters * (maxEscapeBytes + maxNestedEscapeBytes) +
    attachments.length * maxAttachmentBytes
  );
}

/** The bodies, and what is left of them without quotations and signature. */
function payloadTexts(email: Bodies, limits: ContentLimits) {
  const { text: plain, html, isTruncated } = completeBodies(email, limits);
  const ownHtml = isBlank(email.html) ? undefined : stripHtml(html, new StepBudget(limits.htmlSteps));
  const stripped = stripText(isBlank(email.text) ? strippedPlain(plain, html, ownHtml, limits) : plain);
  const strippedHtml = ownHtml ?? textToHtml(textForHtml(stripped.text, limits.textBytes));
  const texts = {
    "body-plain": plain,
    "body-html": html,
    "stripped-text": stripped.text,
    "stripped-html": strippedHtml,
    "stripped-signature": stripped.signature,
  };
  return { texts, isTruncated };
}

/** The text of the HTML without its quotations: mostly there are none, and it is converted already. */
function strippedPlain(plain: string, html: string, ownHtml: string | undefined, limits: ContentLimits): string {
  if (ownHtml === undefined) return "";
  return ownHtml === html.trim() ? plain : htmlToText(ownHtml, new StepBudget(limits.htmlSteps));
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
