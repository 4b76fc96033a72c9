/**
 * A text as PostgreSQL and JSON can hold it: NUL characters and unpaired surrogates become U+FFFD, where a reader sees
 * that something was there. Cut to `limit` characters, if one is given.
 */
export function storableText(text: string, limit?: number): string {
  const whole = text.replaceAll("\0", "\uFFFD").toWellFormed();
  return limit === undefined || whole.length <= limit ? whole : `${whole.slice(0, limit - 1).toWellFormed()}…`;
}
