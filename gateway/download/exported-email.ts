import type { Readable } from "node:stream";
import type { z } from "zod";
import { EmailDetails, type mailboxContract } from "../../services/mailbox/contract.ts";
import { Refusal } from "../../services/platform/errors.ts";
import type { Client, StreamClient } from "../../services/platform/rpc/contract.ts";
import { firstLine } from "../../services/platform/rpc/first-line.ts";
import type { Pieces } from "./json-pieces.ts";

export interface MailboxOfExport {
  mailbox: Client<typeof mailboxContract>;
  streams: StreamClient<typeof mailboxContract>;
}

type Listed = z.output<(typeof mailboxContract)["procedures"]["accountEmails"]["output"]>["emails"][number];
type Details = Awaited<ReturnType<typeof firstLine>>;

const Head = EmailDetails.omit({ payload: true });

/**
 * An email with its timeline, its payload (all header fields and both bodies) and its attachments with their contents, in pieces of JSON:
 * neither the payload nor an attachment is whole in memory. Where its content is not kept the payload is null.
 * @param more members from other services
 */
export async function* exportedEmail(
  ownerId: string,
  { isKept, ...email }: Listed,
  more: object,
  parts: MailboxOfExport,
): Pieces {
  const { id: emailId, direction, timeline } = email;
  const details = isKept ? await detailsOf(ownerId, emailId, parts) : undefined;
  if (details) yield* piecesOf(details, { direction, timeline, ...more }, parts);
  else {
    const nothing = { attachmentCount: 0, isTruncated: false, payload: null, attachments: [] };
    yield JSON.stringify({ ...email, subject: null, ...more, ...nothing });
  }
}

/** Undefined where the content was removed since the email was listed, or is no longer to be read. */
async function detailsOf(ownerId: string, emailId: string, { streams }: MailboxOfExport): Promise<Details | undefined> {
  try {
    return await firstLine(await streams.details({ ownerId, emailId }));
  } catch (error) {
    if (error instanceof Refusal && (error.kind === "NotFound" || error.kind === "NotBrowsable")) return undefined;
    throw error;
  }
}

async function* piecesOf({ line, rest }: Details, more: object, parts: MailboxOfExport): Pieces {
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
