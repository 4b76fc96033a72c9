/** What spreadsheets take for a formula at the beginning of a cell. */
const formula = /^[=+\-@\t\r]/;

/** A line of CSV (RFC 4180): every field in quotation marks, and none of it a formula. */
export function csvLine(fields: readonly string[]): string {
  const cells = fields.map((field) => `"${(formula.test(field) ? `'${field}` : field).replaceAll('"', '""')}"`);
  return `${cells.join(",")}\r\n`;
}
