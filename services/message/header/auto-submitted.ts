import { bodyOf, type HeaderField } from "./fields.ts";

/** Whether a program wrote the message by itself, such as a responder (RFC 3834 section 5). */
export function isAutomatic(fields: readonly HeaderField[]): boolean {
  return !/^(?:no\b|$)/i.test(bodyOf(fields, "auto-submitted")?.trim() ?? "");
}
