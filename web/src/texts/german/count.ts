/** A number that may be large. */
export function figure(number: number): string {
  return number.toLocaleString("de");
}

/** „1 E-Mail“, „2 E-Mails“ */
export function count(number: number, one: string, many: string): string {
  return `${figure(number)} ${number === 1 ? one : many}`;
}
