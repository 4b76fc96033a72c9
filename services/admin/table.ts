/** Rows as lines, each column as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (sofar, row) => row.map((cell, at) => Math.max(cell.length, sofar[at] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
