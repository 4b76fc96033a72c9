import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import { Direction } from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { bindingsContract } from "../../bindings/contract.ts";
import { domainOf } from "../../message/address/addr-spec.ts";
import type { BlobStore } from "../../platform/blobs/types.ts";
import type { Database } from "../../platform/db/types.ts";
import { Outage, Refusal } from "../../platform/errors.ts";
import { event } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { ingressContract } from "../contract.ts";
import type { GroupCommit } from "../storage/group-commit.ts";
import type { SendRequest } from "./idempotency-keys.ts";

type Message = z.output<typeof ingressContract.procedures.send.input>;
type RequestDigests = Omit<SendRequest, "emailId">;
type Admission = Awaited<ReturnType<Client<typeof bindingsContract>["admitSending"]>>;

interface SendingParts {
  db: Database;
  blobs: BlobStore;
  groupCommit: GroupCommit;
  bindings: Pick<Client<typeof bindingsContract>, "admitSending">;
}

/**
 * Takes mail that an owner composed, to leave as an answer does. The same request again, by its key, is taken once.
 * @throws Refusal ValidationFailed, SendingNotAllowed, RateLimited, Conflict for a key that was used for another message; Outage
 */
export async function sendMessage(parts: SendingParts, message: Message): Promise<{ id: string }> {
  const { db, blobs, groupCommit, bindings } = parts;
  const request = requestOf(message);
  const before = await emailOf(db, request);
  if (before) return { id: before };
  const { ownerId, from, to, cc, bcc } = message;
  const admission = await bindings.admitSending({ ownerId, from, to, cc, bcc });
  const raw = await compose(message, admission);
  const emailId = newId();
  const blob = await blobs.prepare(Readable.from([raw]));
  try {
    const isNew = await groupCommit.commit({
      rawMessage: {
        blob,
        emailIds: [emailId],
        events: [sendEvent(admission, { ownerId, emailId, rawId: blob.id, sizeBytes: raw.length })],
        expectedReads: 1,
      },
      request: { ...request, emailId },
    });
    if (isNew) return { id: emailId };
  } catch (error) {
    if (!(error instanceof Outage)) await blobs.discard(blob);
    throw error;
  }
  // Of two at once with one key, the other one was first.
  await blobs.discard(blob);
  return { id: (await emailOf(db, request)) ?? emailId };
}

/** A request as it is remembered: nothing of its content, nor its key. */
function requestOf({ idempotencyKey, ...message }: Message): RequestDigests {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const { ownerId } = message;
  return { ownerId, keyDigest: digest(idempotencyKey ?? newId()), bodyDigest: digest(JSON.stringify(message)) };
}

async function emailOf(db: Database, { ownerId, keyDigest, bodyDigest }: RequestDigests): Promise<string | undefined> {
  const { rows } = await db.query<{ emailId: string; bodyDigest: Buffer }>(
    "select email_id, body_digest from sent_request where owner_id = $1 and key_digest = $2",
    [ownerId, keyDigest],
    { name: "sent_request" },
  );
  const [found] = rows;
  if (found && !found.bodyDigest.equals(bodyDigest))
    throw new Refusal("Conflict", { public: "This Idempotency-Key was used for another message." });
  return found?.emailId;
}

async function compose(
  { subject, text, html, attachments }: Message,
  { proxyAddress, to, cc }: Admission,
): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const mail = new MailComposer({
    from: { name: "", address: proxyAddress },
    to: to.map((address) => ({ name: "", address })),
    cc: cc.map((address) => ({ name: "", address })),
    subject,
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ filename, mime, content }) => ({
      filename,
      ...(mime === undefined ? {} : { contentType: mime }),
      content: Buffer.from(content, "base64"),
    })),
    date: new Date(),
    messageId: `<${newId()}@${domainOf(proxyAddress)}>`,
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return mail.compile().build();
}

function sendEvent(admission: Admission, ids: { ownerId: string; emailId: string; rawId: string; sizeBytes: number }) {
  const { to: _to, cc: _cc, ...admitted } = admission;
  return event(
    topics.answerAccepted,
    create(topics.answerAccepted.schema, {
      ...admitted,
      ...ids,
      named: [],
      envelopeSender: "",
      direction: Direction.SEND,
      hopCount: 1,
      receivedAt: timestampFromDate(new Date()),
    }),
  );
}
