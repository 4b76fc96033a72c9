import { invalidField } from "../platform/errors.ts";

const maxCharacters = 64;

/** Controls (NUL among them) and unpaired surrogates: nothing that a person types, and nothing that PostgreSQL takes. */
const control = /[\p{Cc}\p{Cs}]/u;

export function hasControl(text: string): boolean {
  return control.test(text);
}

/** The name that an owner gives a passkey or an API key, without blanks around it. @throws Refusal ValidationFailed */
export function checkCredentialName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > maxCharacters || hasControl(trimmed))
    throw invalidField("name", `must have 1 to ${maxCharacters} characters, and no control characters.`);
  return trimmed;
}
