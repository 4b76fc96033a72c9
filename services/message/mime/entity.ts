// Entities and the events about them: RFC 2045 section 2.4, RFC 2046 section 5.1.

import type { HeaderField } from "../header/fields.ts";
import type { Content } from "./content.ts";

/** A message, or a part of one. */
export interface Entity {
  readonly fields: readonly HeaderField[];
  readonly content: Content;
  /** The multipart that it is a part of; undefined for the message itself. */
  readonly parent: Entity | undefined;
  /** Whether its body is taken apart: that of a multipart, unless it names no boundary or is nested too deep. */
  readonly isMultipart: boolean;
}

export type MimeEvent =
  | { readonly kind: "begin"; readonly entity: Entity }
  /** Of the body, its transfer encoding as it is; of a multipart what stands before, between and after its parts. */
  | { readonly kind: "bytes"; readonly entity: Entity; readonly bytes: Buffer }
  | { readonly kind: "end"; readonly entity: Entity };

export interface MimeLimits {
  /** Of all entities; those that are too many are left out. */
  readonly entities: number;
  /** Of multiparts within each other; what is nested deeper is not taken apart. */
  readonly depth: number;
  /** Of each header section; what is longer is body from there on. */
  readonly headerBytes: number;
}
