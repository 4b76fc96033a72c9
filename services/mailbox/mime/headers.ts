import { fieldText, type HeaderField, spelledName } from "../../message/header/fields.ts";
import { storableText } from "../../platform/storable-text.ts";

/** A header field as a reader wants it: unfolded, decoded; the name as the sender spelled it. */
export type Header = readonly [name: string, value: string];

export function readHeaders(fields: readonly HeaderField[]): Header[] {
  return fields
    .filter(({ name }) => name !== "")
    .map((field): Header => [spelledName(field), storableText(fieldText(field))]);
}

/** The one way to write a header's name: `message-ID` and `MESSAGE-ID` are `Message-Id`. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** The value of the last header of a name, compared without case. */
export function lastValue(headers: readonly Header[], name: string): string | undefined {
  return headers.findLast(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1];
}
