import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { EmailDetails, mailboxContract } from "../contract.ts";
import type { Header } from "../mime/headers.ts";
import { buildPayload, type Payload } from "../payload/payload.ts";
import { type AttachmentLinks, attachmentsOf } from "./attachments.ts";
import { type EmailRow, emailColumns, requireBrowsable, summaryOf } from "./email-rows.ts";

type CallbackContent = z.input<(typeof mailboxContract)["procedures"]["callbackContent"]["output"]>;

interface ContentRow extends EmailRow {
  headers: Header[];
  text: string | null;
  html: string | null;
}

const noSuchEmail = () => new Refusal("NotFound", { public: "There is no such email." });

/** Answers with the stored content of one email. */
export class EmailDetailsReader {
  readonly #db: Database;
  readonly #bindings: Client<typeof bindingsContract>;
  readonly #links: AttachmentLinks;

  constructor(db: Database, bindings: Client<typeof bindingsContract>, links: AttachmentLinks) {
    this.#db = db;
    this.#bindings = bindings;
    this.#links = links;
  }

  /** @throws Refusal NotFound (missing, not stored, or another account's); NotBrowsable. */
  async details(ownerId: string, emailId: string): Promise<z.input<typeof EmailDetails>> {
    await this.browsableRawId(ownerId, emailId);
    const row = await this.#content(emailId, "content.is_browsable");
    const { payload, attachments } = await this.#present(row);
    const headers = row.headers.map(([name, value]) => ({ name, value }));
    return {
      ...summaryOf(row),
      payload,
      attachments,
      text: payload["body-plain"],
      html: payload["body-html"],
      headers,
    };
  }

  /**
   * The content of a callback; always the same for the same `linksExpireAt`.
   * @throws Refusal NotFound once the email is removed or expired.
   */
  async callbackContent(emailId: string, linksExpireAt?: Date): Promise<CallbackContent> {
    if (!isId(emailId)) throw noSuchEmail();
    const row = await this.#content(emailId, "true");
    const { payload, attachments } = await this.#present(row, linksExpireAt);
    return { payload, attachments, recipient: row.proxyAddress, receivedAt: row.receivedAt.toISOString() };
  }

  /**
   * The claim check for the raw bytes of a browsable email.
   * @throws Refusal NotFound (missing, or another account's); NotBrowsable.
   */
  async browsableRawId(ownerId: string, emailId: string): Promise<string> {
    if (!isId(ownerId) || !isId(emailId)) throw noSuchEmail();
    const { rows } = await this.#db.query<{ bindingId: string; rawId: string }>(
      `select binding_id, raw_id from email where id = $1 and owner_id = $2 and removed_at is null`,
      [emailId, ownerId],
      { name: "email_owned" },
    );
    const [email] = rows;
    if (!email) throw noSuchEmail();
    await requireBrowsable(this.#bindings, ownerId, email.bindingId);
    return email.rawId;
  }

  async #content(emailId: string, condition: "true" | "content.is_browsable"): Promise<ContentRow> {
    const { rows } = await this.#db.query<ContentRow>(
      `select ${emailColumns}, headers, body_plain as text, body_html as html from content join email on email.id = email_id
        where email_id = $1 and ${condition}`,
      [emailId],
    );
    const [row] = rows;
    if (!row) throw noSuchEmail();
    return row;
  }

  async #present(
    row: ContentRow,
    linksExpireAt?: Date,
  ): Promise<{ payload: Payload; attachments: CallbackContent["attachments"] }> {
    const attachments =
      row.attachmentCount === 0 ? [] : await attachmentsOf(this.#db, this.#links, row.id, linksExpireAt);
    return { payload: buildPayload({ ...row, attachments }), attachments };
  }
}
