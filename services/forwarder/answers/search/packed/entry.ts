import type { createGunzip, createInflate, createInflateRaw } from "node:zlib";

/** A file, or a stream, within an attachment. */
export interface Entry {
  readonly data: Buffer;
  readonly isMedia: boolean;
  /** Undefined for what is not compressed. */
  readonly inflate?: typeof createInflate | typeof createInflateRaw | typeof createGunzip;
  /** Encrypted, or compressed in a way that is not undone. */
  readonly sealed?: "encrypted" | "unknown";
  /** Of a PDF file, where text is in strings, and of a stream what its dictionary says. */
  readonly pdf?: { readonly dictionary: string | undefined };
  /** It stands in the attachment as it is, so that it was searched there. */
  readonly isOpen?: boolean;
  /** Undoes what data is written in before it is inflated. @returns as much as there is room for */
  decode?(data: Buffer, room: number): Buffer;
}
