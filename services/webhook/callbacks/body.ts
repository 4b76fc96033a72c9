import type { Readable } from "node:stream";
import { z } from "zod";
import type { WebhookIdentity } from "../../auth/contract.ts";
import { Attachment } from "../../mailbox/contract.ts";
import { firstLine } from "../../platform/rpc/first-line.ts";
import type { BodyPieces } from "../calls/call.ts";

/** What mailbox's stream of a callback's content begins with: all but the payload. */
const ContentHead = z.object({
  recipient: z.string(),
  receivedAt: z.iso.datetime(),
  attachments: z.array(Attachment),
  isTruncated: z.boolean().default(false),
  payloadBytes: z.number().int().nonnegative().default(0),
});

type Head = z.output<typeof ContentHead>;
export type BodyIdentity = Pick<z.output<typeof WebhookIdentity>, "accountId" | "username">;

/** The content of an email as mailbox streams it. */
export interface CallbackContent {
  readonly head: Head;
  /** As JSON. */
  readonly payload: AsyncIterable<Buffer>;
  /** For a payload that is not read. */
  close(): void;
}

/** @param content mailbox's stream: a line with all but the payload, then the payload as JSON */
export async function callbackContent(content: Readable): Promise<CallbackContent> {
  const { line, rest } = await firstLine(content);
  return { head: ContentHead.parse(JSON.parse(line)), payload: rest, close: () => void content.destroy() };
}

/**
 * The body of a callback, as bytes. The same for the same email at every attempt: nothing
 * here depends on when or by whom it is made. Never a token of the user's.
 */
export async function callbackBody(
  emailId: string,
  { head, payload }: CallbackContent,
  user: BodyIdentity,
): Promise<BodyPieces> {
  const [before, after] = around(emailId, head, user);
  const pieces = [before];
  for await (const piece of payload) pieces.push(piece);
  return [...pieces, after];
}

/** The same of a payload that is short, and here already. */
export function shortCallbackBody(
  emailId: string,
  head: Omit<Head, "payloadBytes">,
  payload: unknown,
  user: BodyIdentity,
): BodyPieces {
  const [before, after] = around(emailId, head, user);
  return [before, Buffer.from(JSON.stringify(payload)), after];
}

/** What stands before the payload and after it. */
function around(emailId: string, head: Omit<Head, "payloadBytes">, user: BodyIdentity): [Buffer, Buffer] {
  const after = {
    attachments: head.attachments.map(({ filename, mime, sizeBytes, contentId, url }) => ({
      filename,
      mime,
      size: sizeBytes,
      content_id: contentId,
      url,
    })),
    recipient: { address: head.recipient },
    receivedAt: formatReceivedAt(new Date(head.receivedAt)),
    user: { id: user.accountId, username: user.username },
    // As in the email's details; left out of the many that are whole.
    ...(head.isTruncated ? { is_truncated: true } : {}),
  };
  const before = `{"id":${JSON.stringify(emailId)},"payload":`;
  return [Buffer.from(before), Buffer.from(`,${JSON.stringify(after).slice(1)}`)];
}

/** `Sat Jan 20 2024 02:00:46 GMT+0000`: ECMAScript's own form (section 21.4.4.41.4) in UTC, without the zone's name. Exported for tests. */
export function formatReceivedAt(at: Date): string {
  const [weekday = "", day = "", month = "", year = "", time = ""] = at.toUTCString().split(" ");
  return `${weekday.slice(0, -1)} ${month} ${day} ${year} ${time} GMT+0000`;
}
