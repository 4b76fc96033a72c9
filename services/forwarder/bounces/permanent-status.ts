/** The first permanent enhanced status code in a text (RFC 3463 section 2). */
export function permanentStatusIn(text: string): string | undefined {
  return /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(text)?.[0];
}
