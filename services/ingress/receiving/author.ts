import { decodeEncodedWords } from "../../message/coding/encoded-words.ts";
import { bytesAsText, type HeaderField } from "../../message/header/fields.ts";
import { singleAuthor } from "../../message/header/single-author.ts";

export interface Author {
  readonly address: string;
  /** Decoded. */
  readonly name: string;
}

const nameCharacters = 500;

/** The one mailbox of From; undefined where there is not exactly one. */
export function authorOf(fields: readonly HeaderField[]): Author | undefined {
  const mailbox = singleAuthor(fields);
  if (!mailbox) return undefined;
  const { localPart, domain, displayName } = mailbox;
  const name = decodeEncodedWords(bytesAsText(displayName)).slice(0, nameCharacters).toWellFormed();
  return { address: bytesAsText(`${localPart}@${domain}`), name };
}
