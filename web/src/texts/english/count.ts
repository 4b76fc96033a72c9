/** A number that may be large. */
export function figure(number: number): string {
  return number.toLocaleString("en");
}

/** "1 email", "2 emails" */
export function count(number: number, one: string, many: string): string {
  return `${figure(number)} ${number === 1 ? one : many}`;
}
