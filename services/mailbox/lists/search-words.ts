import type { Queryable } from "../../platform/db/types.ts";

/** Longer words are pieces of something encoded. */
const wordBytes = 64;
/** The end of an owner's id, which is random (RFC 9562 section 5.7); whose the mail is, is looked at besides. */
const markLength = 8;
/** What a person types; longer ones are of no use to anybody. */
const searchLimit = 200;

/** SQL: the words of a text as a tsvector, each behind the mark of `owner_id`. */
export function wordsOf(text: string): string {
  return `array_to_tsvector(array(
    select right(owner_id::text, ${markLength}) || lexeme from unnest(to_tsvector('simple', ${text})) where octet_length(lexeme) <= ${wordBytes}))`;
}

/** A lexeme, or an operator of a phrase, as PostgreSQL writes a tsquery. */
const token = /'(?<lexeme>(?:[^'\\]|''|\\\\)*)'|<(?:-|\d+)>/g;

interface SearchQuery {
  /** A tsquery. */
  readonly query: string;
  /** Whether the index of words narrows it down. Of one that only excludes, as `-word`, it would be read as a whole, all accounts' words. */
  readonly isIndexed: boolean;
}

/**
 * A search as a tsquery for one owner's mail: words, "phrases" (all their words), -without, or. The last word may go on. Undefined if it
 * holds no word: then nothing is found.
 */
export async function searchQuery(db: Queryable, ownerId: string, search: string): Promise<SearchQuery | undefined> {
  const asked = search.slice(0, searchLimit).toWellFormed().replaceAll("\0", " ");
  const { rows } = await db.query<{ query: string; indexed: string }>(
    "select query::text, querytree(query) as indexed from websearch_to_tsquery('simple', $1) as query",
    [asked],
    {
      name: "search_query",
    },
  );
  const query = rows[0]?.query ?? "";
  if (query === "") return undefined;
  const mark = ownerId.slice(-markLength);
  const marked = query.replaceAll(token, (_found, lexeme?: string) =>
    lexeme === undefined ? "&" : `'${mark}${lexeme}'`,
  );
  // After a letter alone too much would follow.
  return {
    query: /[^'\s]{2}'$/.test(query) ? `${marked}:*` : marked,
    isIndexed: !["", "T"].includes(rows[0]?.indexed ?? ""),
  };
}
