import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { hourS } from "../../platform/durations.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import type { Attachment, mailboxContract } from "../contract.ts";

type Located = z.input<(typeof mailboxContract)["procedures"]["attachment"]["output"]>;
type SignedLink = z.output<(typeof mailboxContract)["procedures"]["attachment"]["input"]>;

const purpose = "attachment-link";
/** The maximum of PostgreSQL's integer. */
const indexLimit = 2 ** 31 - 1;

/** Makes and checks signed, expiring links that download one attachment without a token. */
export class AttachmentLinks {
  readonly #secrets: Secrets;
  readonly #publicUrl: string;
  readonly #lifetimeS: number;

  constructor(secrets: Secrets, publicUrl: string, lifetimeHours: number) {
    this.#secrets = secrets;
    this.#publicUrl = publicUrl;
    this.#lifetimeS = lifetimeHours * hourS;
  }

  /** A link that is good until `expiresAt`, by default for the configured lifetime; it says so in seconds since 1970. */
  url(emailId: string, index: number, expiresAt = new Date(Date.now() + this.#lifetimeS * 1_000)): string {
    const expires = String(Math.floor(expiresAt.getTime() / 1_000));
    const signature = this.#secrets.sign(purpose, signedText(emailId, index, expires));
    return `${this.#publicUrl}/api/v1/attachments/${emailId}/${index}?${new URLSearchParams({ expires, signature })}`;
  }

  /** @throws Refusal Forbidden: the signature is not ours for exactly this, or has expired. */
  check({ emailId, index, expires, signature }: SignedLink): void {
    const isGood =
      this.#secrets.verify(purpose, signedText(emailId, index, expires), signature) &&
      Number(expires) * 1_000 > Date.now();
    if (!isGood) throw new Refusal("Forbidden", { public: "This link is not valid, or no longer." });
  }
}

function signedText(emailId: string, index: number, expires: string): string {
  return `${emailId}/${index}/${expires}`;
}

/** The attachments of an email in the message's order, each with a new link that expires at `expiresAt`. */
export async function attachmentsOf(
  db: Database,
  links: AttachmentLinks,
  emailId: string,
  expiresAt?: Date,
): Promise<z.input<typeof Attachment>[]> {
  return (await attachmentsOfMany(db, links, [emailId], expiresAt)).get(emailId) ?? [];
}

/** The same for several emails, by email id; an email without attachments is absent. */
export async function attachmentsOfMany(
  db: Database,
  links: AttachmentLinks,
  emailIds: readonly string[],
  expiresAt?: Date,
): Promise<Map<string, z.input<typeof Attachment>[]>> {
  const { rows } = await db.query<Omit<z.input<typeof Attachment>, "url"> & { emailId: string; index: number }>(
    `select email_id, index, filename, mime, size_bytes, content_id
       from attachment where email_id = any ($1::uuid[]) order by email_id, index`,
    [emailIds],
    { name: "attachments_of" },
  );
  const shown = ({ emailId, index, ...attachment }: (typeof rows)[number]) => ({
    ...attachment,
    url: links.url(emailId, index, expiresAt),
  });
  const byEmail = Map.groupBy(rows, (row) => row.emailId);
  return new Map([...byEmail].map(([emailId, ofEmail]) => [emailId, ofEmail.map(shown)]));
}

/**
 * Finds the attachment of a signed link.
 * @throws Refusal Forbidden for an invalid or expired link; NotFound once the email is removed.
 */
export async function locateAttachment(db: Database, links: AttachmentLinks, link: SignedLink): Promise<Located> {
  links.check(link);
  const { rows } =
    isId(link.emailId) && link.index <= indexLimit
      ? await db.query<Located>(
          `select filename, mime, attachment.size_bytes, blob_id, owner_id
             from attachment join email on email.id = email_id where email_id = $1 and index = $2`,
          [link.emailId, link.index],
          { name: "attachment_located" },
        )
      : { rows: [] };
  const [attachment] = rows;
  if (!attachment) throw new Refusal("NotFound", { public: "There is no such attachment any more." });
  return attachment;
}
