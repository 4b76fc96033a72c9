import type { NextEmail, ReceivedEmail } from "./gen/rest.ts";

type Attributes = ReceivedEmail["data"]["attributes"];

export interface Attachment {
  filename: string;
  mime: string;
  sizeBytes: number;
  contentId: string | null;
  /** Downloads it without credentials, for a day. */
  url: string;
}

/** An email that came to a proxy address. */
export interface Email {
  id: string;
  /** The envelope sender; empty for a bounce. */
  sender: string;
  /** From, as it stands in the header. */
  from: string;
  /** The proxy address that it came to, without a tag. */
  recipient: string;
  subject: string;
  /** As text; made from the HTML where there is none. */
  text: string;
  /** As its sender wrote it: not safe to show as it is. */
  html: string;
  /** The header's fields by name, and what the service makes of the body. */
  payload: Record<string, unknown>;
  attachments: Attachment[];
  receivedAt: Date;
}

/** An email that somebody waited for. */
export interface AwaitedEmail extends Email {
  /** One-time codes, the likeliest first. */
  codes: string[];
  /** http and https URLs, each once. */
  links: string[];
}

export function awaitedEmail({ id, attributes, codes, links }: NextEmail): AwaitedEmail {
  return { ...email(id, attributes), codes, links };
}

export function email(id: string, attributes: Attributes): Email {
  const { payload } = attributes;
  const textOf = (name: string): string => (typeof payload[name] === "string" ? payload[name] : "");
  return {
    id,
    sender: attributes.sender_email,
    from: textOf("from"),
    recipient: attributes.recipient_email,
    subject: attributes.subject,
    text: textOf("body-plain"),
    html: textOf("body-html"),
    payload,
    attachments: attributes.attachments.map(({ filename, mime, size, content_id, url }) => ({
      filename,
      mime,
      sizeBytes: size,
      contentId: content_id,
      url,
    })),
    receivedAt: time(attributes.created_at),
  };
}

/** REST writes times as `YYYY-MM-DD HH:MM:SS`, UTC. */
export function time(text: string): Date {
  return new Date(`${text.replace(" ", "T")}Z`);
}
