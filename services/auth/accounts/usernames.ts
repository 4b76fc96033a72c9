import { Refusal } from "../../platform/errors.ts";

/** The longest forward-path without its brackets (RFC 5321 section 4.5.3.1.3). */
const longestCharacters = 254;

/** Controls (NUL among them) and unpaired surrogates: nothing that a person types, and nothing that PostgreSQL takes. */
const unusable = /[\p{Cc}\p{Cs}]/u;

/** One "@" between something and a domain of at least two labels: who signs in by an address signs in by an ordinary one. */
const addressForm = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** How usernames are compared: case-mapped and in NFC (UsernameCaseMapped, RFC 8265 section 3.3). */
export function usernameKey(username: string): string {
  return username.normalize("NFC").toLowerCase().normalize("NFC");
}

/** Whether there can be an account of this name at all. */
export function isUsername(username: string): boolean {
  return (
    username !== "" && username.length <= longestCharacters && username.trim() === username && !unusable.test(username)
  );
}

export function isAddress(username: string): boolean {
  return addressForm.test(username);
}

/** @throws Refusal ValidationFailed saying what is wrong with it. */
export function checkUsername(username: string): void {
  if (isUsername(username)) return;
  throw new Refusal("ValidationFailed", {
    field: "username",
    public: `must be an email address or a name of 1 to ${longestCharacters} characters, without control characters and without spaces around it.`,
  });
}
