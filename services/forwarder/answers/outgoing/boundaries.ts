import { createHash } from "node:crypto";
import { domainOf, withAsciiDomain } from "../../../message/address/addr-spec.ts";
import type { HeaderField } from "../../../message/header/fields.ts";
import { describeContent } from "../../../message/mime/content.ts";
import type { MimeNode } from "../../../message/mime/mime-tree.ts";
import { organisationalDomain } from "../../../platform/net/organisational-domain.ts";
import type { Edit } from "../../outbound/edits.ts";

const boundaryParameter = /(;\s*boundary\s*=\s*)(?:"(?:[^"\\]|\\.)*"|[^\s;"()]+)/i;

/**
 * Programs make boundaries of their Message-ID, with the domain of their user or the name of their server in it; Exchange leaves the
 * punctuation out. Such ones are others outside, those within signed and encrypted parts apart.
 */
export class OutsideBoundaries {
  readonly #message: Buffer;
  /** Letters and digits alone. */
  readonly #domains: readonly string[];
  readonly #outside = new Map<string, string>();

  /** @param ownAddresses the owner's real addresses */
  constructor(message: Buffer, ownAddresses: readonly string[]) {
    this.#message = message;
    this.#domains = ownAddresses.map((address) =>
      lettersOf(organisationalDomain(domainOf(withAsciiDomain(address)).toLowerCase())),
    );
  }

  /** Content-Type as it leaves. */
  field(field: HeaderField): HeaderField {
    return this.#rewritten(field)?.field ?? field;
  }

  /** Its delimiters as they leave. */
  edits({ fields, delimiters, content: { boundary = "" } }: MimeNode): Edit[] {
    const contentType = fields.find(({ name }) => name === "content-type");
    const rewritten = contentType && delimiters.length > 0 ? this.#rewritten(contentType) : undefined;
    if (!rewritten) return [];
    const bytes = Buffer.from(rewritten.boundary, "latin1");
    return delimiters.map((from) => ({ from, to: from + boundary.length, bytes }));
  }

  /** Undefined for one that stays. */
  #rewritten(field: HeaderField): { field: HeaderField; boundary: string } | undefined {
    if (field.name !== "content-type") return undefined;
    const { boundary: given } = describeContent([field]);
    if (given === undefined || !this.#namesOwner(given)) return undefined;
    const boundary = this.#outsideOf(given);
    const raw = field.raw.replace(boundaryParameter, (_, before: string) => `${before}"${boundary}"`);
    const changed = { ...field, raw };
    // Where a field is written so that another one is read in it, the parts would be lost.
    return describeContent([changed]).boundary === boundary ? { field: changed, boundary } : undefined;
  }

  #namesOwner(boundary: string): boolean {
    const letters = lettersOf(boundary);
    return this.#domains.some((domain) => domain !== "" && letters.includes(domain));
  }

  /** The same in every copy, and nowhere in the message. */
  #outsideOf(boundary: string): string {
    const known = this.#outside.get(boundary);
    if (known !== undefined) return known;
    const made = `=_${createHash("sha256").update(boundary).update("\0").update(this.#message).digest("hex").slice(0, 32)}`;
    this.#outside.set(boundary, made);
    return made;
  }
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}
