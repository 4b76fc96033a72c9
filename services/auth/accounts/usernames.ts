import { Refusal } from "../../platform/errors.ts";
import { hasControl } from "../credential-name.ts";

/** The longest forward-path without its brackets (RFC 5321 section 4.5.3.1.3). */
const maxCharacters = 254;

/** One "@" between something and a domain of at least two labels: who signs in by an address signs in by an ordinary one. */
const addressPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** How usernames are compared: case-mapped and in NFC (UsernameCaseMapped, RFC 8265 section 3.3). */
export function usernameKey(username: string): string {
  return username.normalize("NFC").toLowerCase().normalize("NFC");
}

/** Whether there can be an account of this name at all. */
export function isUsername(username: string): boolean {
  return username !== "" && username.length <= maxCharacters && username.trim() === username && !hasControl(username);
}

export function isAddress(username: string): boolean {
  return addressPattern.test(username);
}

/** @throws Refusal ValidationFailed saying what is wrong with it. */
export function checkUsername(username: string): void {
  if (isUsername(username)) return;
  throw new Refusal("ValidationFailed", {
    field: "username",
    public: `must be an email address or a name of 1 to ${maxCharacters} characters, without control characters and without spaces around it.`,
  });
}
