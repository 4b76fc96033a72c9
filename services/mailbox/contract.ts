import { z } from "zod";
import { bucketProcedures } from "../platform/blobs/contract.ts";
import { GivenId } from "../platform/rpc/given-id.ts";
import { accountEventProcedures } from "./account-events/contract.ts";

export { AccountEvent } from "./account-events/contract.ts";

/** How long a request may wait for mail. */
export const maxWaitS = 60;

export const EmailSummary = z.object({
  id: z.uuid(),
  bindingId: z.uuid(),
  recipient: z.string(),
  sender: z.string(),
  subject: z.string(),
  attachmentCount: z.number().int(),
  isProcessed: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export const Attachment = z.object({
  filename: z.string(),
  mime: z.string(),
  sizeBytes: z.number().int(),
  contentId: z.string().nullable(),
  /** A signed, expiring link; it downloads without a token. */
  url: z.string(),
});

/** The inbound-parse format: every header under its own name, and the fields of that format beside them. */
const Payload = z.record(z.string(), z.unknown());

export const EmailDetails = EmailSummary.extend({
  /** PAYLOAD_LIMIT_MB at most. */
  payload: Payload,
  attachments: z.array(Attachment),
  /** Something of the email is not in the payload, because it is over a limit. */
  isTruncated: z.boolean(),
});

export const TimelineEntry = z.object({
  at: z.iso.datetime(),
  /** One of emails/timeline-kinds. */
  kind: z.string(),
  /** A real address, a callback URL, or a rule as its owner knows it; shown to the owner only. */
  target: z.string().nullable(),
  /** The remote server's answer, or the reason. */
  detail: z.string().nullable(),
  /** The rule of the owner's that decided; null where none did. */
  ruleId: z.uuid().nullable().default(null),
});

/** An email, whether or not its content is kept to be read. */
const AccountEmail = EmailSummary.omit({ attachmentCount: true }).extend({
  /** Null where the content is not kept. */
  subject: z.string().nullable(),
  /** FORWARD, ANSWER or SEND. */
  direction: z.string(),
  isKept: z.boolean(),
  timeline: z.array(TimelineEntry),
});

const OwnedEmail = z.object({ ownerId: z.uuid(), emailId: GivenId });

const CallbackContentQuery = z.object({
  emailId: z.uuid(),
  /** When its attachment links expire; absent: as long from now as in the details. */
  linksExpireAt: z.iso.datetime().optional(),
});

/** Errors: NotFound (missing, or another account's), NotBrowsable, Forbidden (attachment links). */
export const mailboxContract = {
  service: "mailbox",
  procedures: {
    ...accountEventProcedures,
    /** The emails of a browsable binding, newest first; without `first`: all that are stored. */
    list: {
      kind: "query",
      input: z.object({
        ownerId: z.uuid(),
        bindingId: GivenId,
        first: z.number().int().positive().max(1_000).optional(),
        after: z.string().optional(),
        search: z.string().optional(),
      }),
      output: z.object({
        emails: z.array(EmailSummary),
        totalCount: z.number().int(),
        nextCursor: z.string().nullable(),
      }),
    },
    /** An account's emails over all its bindings, newest first, also those that were forwarded and not kept. */
    accountEmails: {
      kind: "query",
      input: z.object({ ownerId: z.uuid(), first: z.number().int().positive().max(100), after: z.string().optional() }),
      output: z.object({ emails: z.array(AccountEmail), nextCursor: z.string().nullable() }),
    },
    /** All of it in memory: the stream of the same name is not. */
    details: { kind: "query", input: OwnedEmail, output: EmailDetails },
    /** From accepted to the last outcome, oldest first, whether or not the content is stored. */
    timeline: { kind: "query", input: OwnedEmail, output: z.array(TimelineEntry) },
    /** What the account keeps, and may keep (null: no limit), in MB of 1,000,000 octets. */
    storage: {
      kind: "query",
      input: z.object({ ownerId: z.uuid() }),
      output: z.object({ usedMb: z.number(), limitMb: z.number().nullable() }),
    },
    remove: { kind: "mutation", input: OwnedEmail, output: z.object({}) },
    /** For operators: how far emails are; those that are not known are left out. */
    progress: {
      kind: "query",
      input: z.object({ emailIds: z.array(z.uuid()).max(10_000) }),
      output: z.array(z.object({ emailId: z.uuid(), isProcessed: z.boolean(), isReleased: z.boolean() })),
    },
    /** For operators: emails whose outcomes have not all come, among the next `limit` emails. */
    unprocessed: {
      kind: "query",
      input: z.object({
        after: z.uuid().nullable(),
        since: z.iso.datetime(),
        before: z.iso.datetime(),
        limit: z.number().int().min(1).max(10_000),
      }),
      output: z.object({
        emails: z.array(
          z.object({
            emailId: z.uuid(),
            /** Stored, and to be called back: webhook is to know it. */
            needsCallback: z.boolean(),
            /** Targets whose outcome is on the timeline. */
            endedTargetIds: z.array(z.uuid()),
          }),
        ),
        /** Null after the last. */
        nextAfter: z.uuid().nullable(),
      }),
    },
    /** For operators: publishes mail.stored again for stored emails that are called back. */
    publishStored: {
      kind: "mutation",
      input: z.object({ emailIds: z.array(z.uuid()).max(10_000) }),
      output: z.object({ count: z.number().int() }),
    },
    ...bucketProcedures,
    /** The oldest stored email of a binding that matches and that nobody has taken; null while there is none. Errors: Conflict. */
    takeEmail: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        bindingId: GivenId,
        /** As in RCPT TO, without regard to case. */
        recipient: z.string().optional(),
        /** Within the envelope sender or From, without regard to case. */
        from: z.string().optional(),
        subject: z.string().optional(),
        since: z.iso.datetime({ offset: true }).optional(),
        /** Asked again, it gets the same one. */
        waiter: z.uuid().optional(),
        /** Nobody else gets it. */
        take: z.boolean(),
        /** Who has asked before looks at no email with a lower id. */
        fromId: z.uuid().optional(),
      }),
      output: z.object({ emailId: z.uuid().nullable() }),
    },
    /** The one-time codes of an email, the likeliest first, and its URLs. */
    excerpts: {
      kind: "query",
      input: OwnedEmail,
      output: z.object({ codes: z.array(z.string()), links: z.array(z.string()) }),
    },
    /** The content of a callback, as in the email's details. For webhook. NotFound once the email is removed. */
    callbackContent: {
      kind: "query",
      input: CallbackContentQuery,
      output: z.object({
        payload: Payload,
        attachments: z.array(Attachment),
        recipient: z.string(),
        receivedAt: z.iso.datetime(),
        /** As in the details. */
        isTruncated: z.boolean(),
      }),
    },
    /** Checks an attachment link and finds its attachment. */
    attachment: {
      kind: "query",
      input: z.object({
        emailId: GivenId,
        index: z.number().int().nonnegative(),
        expires: z.string(),
        signature: z.string(),
      }),
      output: z.object({
        filename: z.string(),
        mime: z.string(),
        sizeBytes: z.number().int(),
        blobId: z.uuid(),
        // Absent in the answer of a release before.
        ownerId: z.uuid().optional(),
      }),
    },
  },
  streams: {
    /** The details as two texts of JSON: a line with all but the payload, then the payload. Errors as of the procedure. */
    details: OwnedEmail,
    /** The same way; the line says in `payloadBytes` how long the payload is. */
    callbackContent: CallbackContentQuery,
    attachmentBytes: z.object({ blobId: z.uuid() }),
    /** The message as it came, for the owner of a browsable binding. Errors: NotFound, NotBrowsable. */
    rawSource: OwnedEmail,
    /**
     * Emails stored from now on for the account's browsable bindings: a line of JSON for each, `{"bindingId", "emailId"}`, and
     * an empty line as a heartbeat. Best effort. Errors: RateLimited.
     */
    arrivals: z.object({ ownerId: z.uuid() }),
  },
} as const;
