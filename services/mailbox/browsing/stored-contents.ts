import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { type ContentLimits, inlineBytes } from "../limits.ts";
import type { Header } from "../mime/headers.ts";
import type { StoredBodies } from "../payload/content-renderer.ts";
import { type EmailRow, emailColumns } from "./email-rows.ts";

/** The bodies of an email; themselves only if they are short. */
interface BodiesRow {
  id: string;
  /** Of both, in UTF-8. */
  readonly bodyBytes: number;
  readonly isReduced: boolean;
  readonly text: string | null;
  readonly html: string | null;
}

/** The content of an email without its envelope. */
export interface ContentRow extends BodiesRow {
  readonly headers: Header[];
  readonly isHtml: boolean;
}

/** The stored content of an email. */
export interface StoredContentRow extends EmailRow, ContentRow {
  readonly isBrowsable: boolean;
  readonly isTruncated: boolean;
}

export function answerTooLarge(): Refusal {
  return new Refusal("AnswerTooLarge", {
    public: "The answer gets too long: ask for the contents of fewer emails at once.",
  });
}

/** Reads stored contents, long bodies only on demand. */
export class StoredContents {
  readonly #db: Database;
  readonly #limits: ContentLimits;

  constructor(db: Database, limits: ContentLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  async find(emailId: string): Promise<StoredContentRow | undefined> {
    const { textBytes } = this.#limits;
    const { rows } = await this.#db.query<StoredContentRow>(
      `select ${emailColumns}, headers, content.is_browsable, is_payload_reduced as is_reduced, bytes as body_bytes, body_html is not null as is_html,
              is_truncated or longest > $3 as is_truncated,
              case when bytes <= $2 then body_plain end as text, case when bytes <= $2 then body_html end as html
         from content join email on email.id = email_id, lateral (select coalesce(octet_length(body_plain), 0) as plain_bytes,
              coalesce(octet_length(body_html), 0) as html_bytes) as body,
              lateral (select plain_bytes + html_bytes as bytes, greatest(plain_bytes, html_bytes) as longest) as size
        where email_id = $1`,
      [emailId, inlineBytes, textBytes],
      { name: "content_find" },
    );
    return rows[0];
  }

  /**
   * Of browsable emails, by id: as many as come to no more than PAYLOAD_LIMIT_MB together, or one that is larger. The caller has checked
   * access.
   */
  async findMany(emailIds: readonly string[]): Promise<Map<string, ContentRow | Refusal>> {
    const { payloadBytes, textBytes } = this.#limits;
    const { rows } = await this.#db.query<ContentRow & { isOver: boolean }>(
      `select id, bytes as body_bytes, is_payload_reduced as is_reduced, body_html is not null as is_html, is_over, case when not is_over then headers end as headers,
              case when bytes <= $2 and not is_over then body_plain end as text, case when bytes <= $2 and not is_over then body_html end as html
         from (select email_id as id, headers, body_plain, body_html, is_payload_reduced, bytes,
                      sum(least(bytes, 2 * $4::int) + octet_length(headers::text)) over (order by email_id desc rows unbounded preceding) > $3
                        and row_number() over (order by email_id desc) > 1 as is_over
                 from content, lateral (select coalesce(octet_length(body_plain), 0) + coalesce(octet_length(body_html), 0) as bytes) as size
                where email_id = any ($1::uuid[]) and is_browsable) as sized`,
      [emailIds, inlineBytes, payloadBytes, textBytes],
      { name: "contents_of" },
    );
    return new Map(rows.map((row) => [row.id, row.isOver ? answerTooLarge() : row]));
  }

  /** Whether less of these emails is stored, or can be shown, than came in, by id. */
  async truncations(emailIds: readonly string[]): Promise<Map<string, boolean>> {
    const { rows } = await this.#db.query<{ id: string; isTruncated: boolean }>(
      `select email_id as id, is_truncated or is_payload_reduced or coalesce(greatest(octet_length(body_plain), octet_length(body_html)), 0) > $2 as is_truncated
         from content where email_id = any ($1::uuid[])`,
      [emailIds, this.#limits.textBytes],
      { name: "contents_truncated" },
    );
    return new Map(rows.map(({ id, isTruncated }) => [id, isTruncated]));
  }

  bodiesOf({ id, bodyBytes, isReduced, text, html }: BodiesRow): StoredBodies {
    return {
      sizeBytes: bodyBytes,
      isReduced,
      asText: async (characters) => {
        if (bodyBytes <= inlineBytes) return { text, html };
        const bytes = await this.#bodies(id, characters);
        return { text: bytes.text.toString(), html: bytes.html.toString() };
      },
      asBytes: (characters) => this.#bodies(id, characters),
      markReduced: async () => {
        await this.#db.query("update content set is_payload_reduced = true where email_id = $1", [id]);
      },
    };
  }

  /** Long texts come as bytes: nothing of this process makes strings of them. */
  async #bodies(emailId: string, characters: number): Promise<{ text: Buffer; html: Buffer }> {
    const body = (column: "body_plain" | "body_html") =>
      this.#db.copyBytea(
        `select convert_to(coalesce(left(${column}, $2), ''), 'UTF8') from content where email_id = $1`,
        [emailId, characters],
      );
    const [[text], [html]] = [await body("body_plain"), await body("body_html")];
    if (!text || !html) throw new Refusal("NotFound", { public: "There is no such email." });
    return { text, html };
  }
}
