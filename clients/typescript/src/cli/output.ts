/** A line on stdout. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Text of strangers on a terminal: nothing that a terminal would take for a command (ECMA-48). */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
