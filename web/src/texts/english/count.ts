/** "1 email", "2 emails" */
export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
