/** The email addresses in what was typed, each once: blanks, commas, semicolons and line ends stand between them. */
export function addressesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((each) => each !== ""))];
}
