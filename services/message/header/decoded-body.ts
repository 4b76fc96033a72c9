// Unstructured fields as a person reads them: RFC 5322 section 3.6.5, RFC 2047, RFC 6532.

import { decodeEncodedWords } from "../coding/encoded-words.ts";
import { bytesAsText, type HeaderField, unfoldedBody } from "./fields.ts";

/** The body of a field, unfolded and decoded. It holds no CR or LF. */
export function decodedBody(field: HeaderField): string {
  return decodeEncodedWords(bytesAsText(unfoldedBody(field)));
}
