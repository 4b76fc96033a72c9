import { isDataException } from "../platform/db/errors.ts";
import { invalidField, type Refusal } from "../platform/errors.ts";
import { type EmailAddress, parseEmailAddress } from "./addresses/email-address.ts";
import { bindingLimits } from "./contract.ts";

/** @throws Refusal ValidationFailed for text that PostgreSQL cannot hold (NUL, unpaired surrogates) or that is too long. */
export function checkText(field: string, text: string, maxCharacters: number): string {
  if (text.length > maxCharacters) throw invalidField(field, `has more than ${maxCharacters} characters.`);
  if (text.includes("\0")) throw invalidField(field, "has a NUL character.");
  if (!text.isWellFormed()) throw invalidField(field, "has an unpaired surrogate.");
  return text;
}

/** What a page that begins after a cursor is refused with. */
export function invalidCursor(): Refusal {
  return invalidField("after", "is no cursor of a former page.");
}

/** Reads a page after a cursor that looks like one of ours: what it holds may be none that PostgreSQL takes. @throws Refusal ValidationFailed */
export async function readAfterCursor<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw isDataException(error) ? invalidCursor() : error;
  }
}

/** A name as it is shown in a header field: one line without controls. @throws Refusal ValidationFailed */
export function checkName(field: string, name: string): string {
  checkText(field, name, bindingLimits.nameCharacters);
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) throw invalidField(field, "has a line end or another control character.");
  return name.trim();
}

/** @throws Refusal ValidationFailed */
export function checkAddress(field: string, address: string): EmailAddress {
  const { emailAddress, fault } = parseEmailAddress(address);
  if (!emailAddress) throw invalidField(field, `the address ${fault}.`);
  return emailAddress;
}
