import { Readable } from "node:stream";
import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import { type Excerpts, excerptsOf } from "../../message/extraction/codes-and-links.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Attachment, EmailDetails, mailboxContract } from "../contract.ts";
import type { ContentRenderer, RenderedPayload } from "../payload/content-renderer.ts";
import { type AttachmentLinks, attachmentsOf } from "./attachments.ts";
import { requireBrowsable } from "./browsable-bindings.ts";
import { summaryOf } from "./email-rows.ts";
import type { StoredContentRow, StoredContents } from "./stored-contents.ts";

type CallbackContent = z.input<(typeof mailboxContract)["procedures"]["callbackContent"]["output"]>;

/** What comes with a payload: all of the answer but the payload itself. */
interface WithPayload<Head> {
  readonly head: Head;
  readonly payload: RenderedPayload;
}

interface EmailDetailsDependencies {
  readonly db: Database;
  readonly bindings: Client<typeof bindingsContract>;
  readonly links: AttachmentLinks;
  readonly renderer: ContentRenderer;
  readonly contents: StoredContents;
}

const noSuchEmail = () => new Refusal("NotFound", { public: "There is no such email." });

/** Answers with the stored content of one email. */
export class EmailDetailsReader {
  readonly #dependencies: EmailDetailsDependencies;

  constructor(dependencies: EmailDetailsDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Refusal NotFound (missing, not stored, or another account's); NotBrowsable. */
  async details(ownerId: string, emailId: string): Promise<WithPayload<Omit<z.input<typeof EmailDetails>, "payload">>> {
    await this.browsableRawId(ownerId, emailId);
    const { row, attachments, payload } = await this.#read(emailId, { isBrowsable: true });
    return { head: { ...summaryOf(row), attachments, isTruncated: row.isTruncated || payload.isTruncated }, payload };
  }

  /** @throws Refusal as details do */
  async excerpts(ownerId: string, emailId: string): Promise<Excerpts> {
    await this.browsableRawId(ownerId, emailId);
    const { renderer, contents } = this.#dependencies;
    const row = await contents.find(emailId);
    if (!row?.isBrowsable) throw noSuchEmail();
    const { subject } = row;
    return excerptsOf({ subject, ...(await renderer.bodies(contents.bodiesOf(row))) });
  }

  /**
   * The content of a callback; always the same for the same `linksExpireAt`.
   * @throws Refusal NotFound once the email is removed or expired.
   */
  async callbackContent(emailId: string, linksExpireAt?: Date): Promise<WithPayload<Omit<CallbackContent, "payload">>> {
    if (!isId(emailId)) throw noSuchEmail();
    const { row, attachments, payload } = await this.#read(emailId, { linksExpireAt });
    const isTruncated = row.isTruncated || payload.isTruncated;
    const head = { recipient: row.proxyAddress, receivedAt: row.receivedAt.toISOString(), attachments, isTruncated };
    return { head, payload };
  }

  /**
   * The claim check for the raw bytes of a browsable email.
   * @throws Refusal NotFound (missing, or another account's); NotBrowsable.
   */
  async browsableRawId(ownerId: string, emailId: string): Promise<string> {
    if (!isId(emailId)) throw noSuchEmail();
    const { rows } = await this.#dependencies.db.query<{ bindingId: string; rawId: string }>(
      `select binding_id, raw_id from email where id = $1 and owner_id = $2 and removed_at is null`,
      [emailId, ownerId],
      { name: "email_owned" },
    );
    const [email] = rows;
    if (!email) throw noSuchEmail();
    await requireBrowsable(this.#dependencies.bindings, ownerId, email.bindingId);
    return email.rawId;
  }

  async #read(
    emailId: string,
    { isBrowsable = false, linksExpireAt }: { isBrowsable?: boolean; linksExpireAt?: Date | undefined },
  ): Promise<{ row: StoredContentRow; attachments: z.input<typeof Attachment>[]; payload: RenderedPayload }> {
    const { db, links, renderer, contents } = this.#dependencies;
    const row = await contents.find(emailId);
    if (!row || (isBrowsable && !row.isBrowsable)) throw noSuchEmail();
    const attachments = row.attachmentCount === 0 ? [] : await attachmentsOf(db, links, row.id, linksExpireAt);
    const { receivedAt, sender, recipient, headers } = row;
    const payload = await renderer.payload(
      { receivedAt, sender, recipient, headers, attachments },
      contents.bodiesOf(row),
    );
    return { row, attachments, payload };
  }
}

/** As a value: all of it in memory. */
export function asValue<Head extends object>({ head, payload }: WithPayload<Head>) {
  return { ...head, payload: payload.value() };
}

/** As a stream: a line of JSON without the payload, then the payload as JSON. */
export function asStream({ head, payload }: WithPayload<object>): Readable {
  return Readable.from(linesOf(head, payload.pieces()), { objectMode: false });
}

/** The same, and its first line says in `payloadBytes` how long the payload is. */
export function asStreamWithSize({ head, payload }: WithPayload<object>): Readable {
  const pieces = [...payload.pieces()];
  const payloadBytes = pieces.reduce((size, piece) => size + Buffer.byteLength(piece), 0);
  return Readable.from(linesOf({ ...head, payloadBytes }, pieces), { objectMode: false });
}

function* linesOf(head: object, payload: Iterable<string | Buffer>): Generator<string | Buffer> {
  yield `${JSON.stringify(head)}\n`;
  // Not by `yield*`: a stream that is destroyed calls `throw`, which the iterator of an array lacks.
  for (const piece of payload) yield piece;
}
