/** „1 E-Mail“, „2 E-Mails“ */
export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("de")} ${number === 1 ? one : many}`;
}
