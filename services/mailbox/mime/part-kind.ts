import { extname } from "node:path";
import libmime from "libmime";
import type { Entity } from "../../message/mime/entity.ts";
import { mediaType } from "./attachment-name.ts";

const unknownType = "application/octet-stream";
const textTypes = ["text/plain", "text/html", "message/delivery-status"];

/**
 * Whether a leaf is a part of what is read, and not a file (RFC 2183 section 2).
 * @param isFirst whether no other text was found before it: a name alone makes no file of it
 */
export function isBodyText({ content, parent }: Entity, isFirst: boolean): boolean {
  // A multipart that cannot be taken apart is shown as it is, if it names no boundary.
  if (content.type.startsWith("multipart/")) return content.boundary === undefined;
  if (!textTypes.includes(content.type)) return false;
  if (content.disposition !== "" && content.disposition !== "inline") return false;
  return content.fileName === undefined || isFirst || parent?.content.type === "multipart/alternative";
}

/** The media type of a file; where none, or nothing by it, is stated, by its name. */
export function fileType({ content }: Entity): string {
  const stated = content.isTypeStated ? mediaType(content.type) : unknownType;
  if (stated !== unknownType || content.fileName === undefined) return stated;
  const extension = extname(content.fileName).slice(1);
  return extension === "" ? stated : mediaType(libmime.detectMimeType(extension));
}
