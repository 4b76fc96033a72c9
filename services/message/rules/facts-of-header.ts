import { fieldsNamed, fieldText, type HeaderField } from "../header/fields.ts";
import type { MailFacts } from "./match-rule.ts";
import { normalizeListId, normalizeText } from "./normalize-values.ts";

/** A message has one of each; of a sender's surplus so many are looked at. */
const fieldsOfName = 10;
/** Octets of a field that are looked at. */
const octetLimit = 8_000;

/** What the header section of a message says that rules ask about. */
export function factsOfHeader(fields: readonly HeaderField[]): Pick<MailFacts, "subjects" | "listIds"> {
  return {
    subjects: bodiesOf(fields, "subject").map(normalizeText),
    listIds: bodiesOf(fields, "list-id").map(normalizeListId),
  };
}

function bodiesOf(fields: readonly HeaderField[], name: string): string[] {
  return fieldsNamed(fields, name)
    .slice(0, fieldsOfName)
    .map((field) => fieldText(field, octetLimit));
}
