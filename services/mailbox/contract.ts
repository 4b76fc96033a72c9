import { z } from "zod";

export const EmailLink = z.object({
  id: z.string(),
  bindingId: z.string(),
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
  /** Signed and expiring; downloads without a token. */
  url: z.string(),
});

/** The widely used inbound-parse dialect: every header under its own name, and the fields of the interface decisions beside them. */
export const Payload = z.record(z.string(), z.unknown());

export const EmailDetails = EmailLink.extend({
  payload: Payload,
  attachments: z.array(Attachment),
  text: z.string(),
  html: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
});

export const TimelineEntry = z.object({
  at: z.iso.datetime(),
  /** accepted, stored, partly_unreadable, forwarded, deferred, given_up, bounced, cancelled, called_back, callback_deferred, callback_given_up, callback_cancelled … */
  kind: z.string(),
  /** A real address or a callback URL; for the owner alone. */
  target: z.string().nullable(),
  /** The remote server's answer. */
  detail: z.string().nullable(),
});

const OwnedEmail = z.object({ ownerId: z.string(), emailId: z.string() });

/** What mailbox answers. Errors: NotFound (missing and somebody else's alike), NotBrowsable, Forbidden (attachment links). */
export const mailboxContract = {
  service: "mailbox",
  procedures: {
    /** The emails of a browsable binding, newest first; without `first`: all that are kept. */
    links: {
      kind: "query",
      input: z.object({
        ownerId: z.string(),
        bindingId: z.string(),
        first: z.number().int().positive().max(1_000).optional(),
        after: z.string().optional(),
        search: z.string().optional(),
      }),
      output: z.object({ emails: z.array(EmailLink), totalCount: z.number().int(), nextCursor: z.string().nullable() }),
    },
    details: { kind: "query", input: OwnedEmail, output: EmailDetails },
    /** From accepted to the last outcome, oldest first, whether or not the email itself is kept. */
    timeline: { kind: "query", input: OwnedEmail, output: z.array(TimelineEntry) },
    remove: { kind: "mutation", input: OwnedEmail, output: z.object({}) },
    /** What a callback carries of an email: as in its details. For webhook. */
    callbackContent: {
      kind: "query",
      input: z.object({
        emailId: z.string(),
        /** When its attachment links expire; absent: as long from now as in the details. */
        linksExpireAt: z.iso.datetime().optional(),
      }),
      output: z.object({
        payload: Payload,
        attachments: z.array(Attachment),
        recipient: z.string(),
        receivedAt: z.iso.datetime(),
      }),
    },
    /** Checks an attachment link and says what it leads to. */
    attachment: {
      kind: "query",
      input: z.object({
        emailId: z.string(),
        index: z.number().int().nonnegative(),
        expires: z.string(),
        signature: z.string(),
      }),
      output: z.object({ filename: z.string(), mime: z.string(), sizeBytes: z.number().int(), blobId: z.string() }),
    },
  },
  streams: {
    attachmentBytes: z.object({ blobId: z.string() }),
    /** The message as it came, for the owner of a browsable binding. Errors: NotFound, NotBrowsable. */
    rawSource: OwnedEmail,
    /**
     * What arrives in the account's browsable inboxes from now on: a line of JSON for each email, `{"bindingId", "emailId"}`,
     * and an empty line as a sign of life. Best effort. Errors: RateLimited.
     */
    arrivals: z.object({ ownerId: z.string() }),
  },
} as const;
