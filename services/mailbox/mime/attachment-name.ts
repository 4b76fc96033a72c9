import { storableText } from "../../platform/storable-text.ts";

const nameLimit = 255;

/** RFC 6838 section 4.2. */
const mediaTypePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** The media type of a part if it is well formed, else application/octet-stream. */
export function mediaType(declared: string | undefined): string {
  const type = declared?.trim().toLowerCase() ?? "";
  return mediaTypePattern.test(type) ? type : "application/octet-stream";
}

/** A safe file name: without folders and control characters, never empty. */
export function attachmentName(declared: string | undefined, mime: string, index: number): string {
  const name = storableText(declared ?? "")
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "")
    .replaceAll(/[/\\]/g, "_")
    .trim();
  if (name !== "" && !/^\.+$/.test(name)) return storableText(name, nameLimit);
  return mime === "message/rfc822" ? `message-${index + 1}.eml` : `attachment-${index + 1}`;
}
