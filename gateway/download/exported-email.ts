import type { Readable } from "node:stream";
import { EmailDetails, type mailboxContract } from "../../services/mailbox/contract.ts";
import { Refusal } from "../../services/platform/errors.ts";
import type { Client, StreamClient } from "../../services/platform/rpc/contract.ts";
import { firstLine } from "../../services/platform/rpc/first-line.ts";

export interface MailboxOfExport {
  mailbox: Client<typeof mailboxContract>;
  streams: StreamClient<typeof mailboxContract>;
}

const Head = EmailDetails.omit({ payload: true });

/**
 * An email with its timeline, its payload (all header fields and both bodies) and its attachments with their contents, in pieces of JSON:
 * neither the payload nor an attachment is whole in memory.
 * @param more members from other services
 * @returns undefined for an email that was removed since it was listed
 */
export async function exportedEmail(
  ownerId: string,
  emailId: string,
  more: object,
  parts: MailboxOfExport,
): Promise<AsyncGenerator<string | Buffer> | undefined> {
  try {
    const timeline = await parts.mailbox.timeline({ ownerId, emailId });
    const details = await firstLine(await parts.streams.details({ ownerId, emailId }));
    return piecesOf(details, { timeline, ...more }, parts);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "NotFound") return undefined;
    throw error;
  }
}

async function* piecesOf(
  { line, rest }: Awaited<ReturnType<typeof firstLine>>,
  more: object,
  parts: MailboxOfExport,
): AsyncGenerator<string | Buffer> {
  const { attachments, ...head } = Head.parse(JSON.parse(line));
  yield `${JSON.stringify({ ...head, ...more }).slice(0, -1)},"payload":`;
  yield* rest;
  yield `,"attachments":[`;
  for (const [index, { url, ...attachment }] of attachments.entries()) {
    yield `${index > 0 ? "," : ""}${JSON.stringify(attachment).slice(0, -1)},"content":"`;
    yield* inBase64(await contentOf(url, parts));
    yield `"}`;
  }
  yield "]}";
}

/** The bytes behind a signed link, which is not itself exported: it expires. */
async function contentOf(url: string, { mailbox, streams }: MailboxOfExport): Promise<Readable> {
  const { pathname, searchParams } = new URL(url);
  const [emailId = "", index] = pathname.split("/").slice(-2);
  const signed = { expires: searchParams.get("expires") ?? "", signature: searchParams.get("signature") ?? "" };
  const { blobId } = await mailbox.attachment({ emailId, index: Number(index), ...signed });
  return streams.attachmentBytes({ blobId });
}

/** RFC 4648 section 4: three octets at a time, whatever pieces they come in. */
async function* inBase64(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let left: Buffer = Buffer.alloc(0);
  for await (const piece of bytes) {
    const all = Buffer.concat([left, piece]);
    const end = all.length - (all.length % 3);
    yield all.toString("base64", 0, end);
    left = all.subarray(end);
  }
  yield left.toString("base64");
}
