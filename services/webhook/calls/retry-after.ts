/** The Retry-After field in seconds from now (RFC 9110 section 10.2.3: seconds, or a date); undefined if it is neither. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const given = value?.trim() ?? "";
  if (/^\d{1,10}$/.test(given)) return Number(given);
  // Every form of HTTP-date begins with the day's name; Date alone would read "2" or "a 1" as dates too.
  const at = /^[A-Z][a-z]{2,8},? /.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1_000);
}
