import { decodeEncodedWords } from "../coding/encoded-words.ts";
import { bytesAsText, fieldsNamed, type HeaderField, unfoldedBody } from "../header/fields.ts";
import { comparableListId, comparableText } from "./comparable.ts";
import type { MailFacts } from "./match-rule.ts";

/** A message has one of each; of a sender's surplus so many are looked at. */
const fieldsOfName = 10;
/** Of the octets of a field. */
const octetLimit = 8_000;

/** What the header section of a message says that rules ask about. */
export function factsOfHeader(fields: readonly HeaderField[]): Pick<MailFacts, "subjects" | "listIds"> {
  return {
    subjects: bodiesOf(fields, "subject").map(comparableText),
    listIds: bodiesOf(fields, "list-id").map(comparableListId),
  };
}

function bodiesOf(fields: readonly HeaderField[], name: string): string[] {
  const found = fieldsNamed(fields, name).slice(0, fieldsOfName);
  return found.map((field) =>
    decodeEncodedWords(bytesAsText(unfoldedBody({ ...field, raw: field.raw.slice(0, octetLimit) }))),
  );
}
