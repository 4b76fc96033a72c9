/**
 * A text as PostgreSQL and JSON can hold it: NUL and unpaired surrogates become U+FFFD. Cut to `limit` characters, if one is
 * given.
 */
export function storableText(text: string, limit?: number): string {
  const whole = text.replaceAll("\0", "\uFFFD").toWellFormed();
  return limit === undefined || whole.length <= limit ? whole : `${whole.slice(0, limit - 1).toWellFormed()}…`;
}
