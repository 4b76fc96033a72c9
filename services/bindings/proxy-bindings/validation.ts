import { Refusal } from "../../platform/errors.ts";
import { type Mailbox, readMailbox } from "../addresses/mailbox.ts";

/** What is wrong with a member of the request, which is named as the caller sent it (a JSON path). */
export function invalid(member: string, fault: string): Refusal {
  return new Refusal("ValidationFailed", { public: `data.attributes.${member}: ${fault}` });
}

/** @throws Refusal ValidationFailed for text that PostgreSQL cannot hold (NUL, unpaired surrogates) or that is too long. */
export function checkText(member: string, text: string, longestCharacters: number): string {
  if (text.length > longestCharacters) throw invalid(member, `has more than ${longestCharacters} characters.`);
  if (text.includes("\0")) throw invalid(member, "has a NUL character.");
  if (!text.isWellFormed()) throw invalid(member, "has an unpaired surrogate.");
  return text;
}

/** @throws Refusal ValidationFailed */
export function checkMailbox(member: string, address: string): Mailbox {
  const { mailbox, fault } = readMailbox(address);
  if (!mailbox) throw invalid(member, `the address ${fault}.`);
  return mailbox;
}

/** @throws Refusal ValidationFailed */
export function checkDescription(description: string): string {
  return checkText("description", description, 10_000);
}
