import { ask } from "../graph/ask.ts";
import { Import, type ImportQuery } from "../graph/gen/operations.ts";

/** What spreadsheets take for a formula at the beginning of a cell. */
const formula = /^[=+\-@\t\r]/;

/** Every row of an import, old and new, as a CSV file (RFC 4180). @throws GraphRefusal */
export async function downloadTable(id: string): Promise<void> {
  const lines = [["kind", "old", "new", "state", "detail"]];
  let after: number | null | undefined = null;
  do {
    const rows: NonNullable<NonNullable<ImportQuery["importJob"]>["rows"]> =
      (await ask(Import, { id, after })).data.importJob?.rows ?? [];
    lines.push(...rows.map((row) => [row.kind, row.old, row.new ?? "", row.state, row.detail]));
    after = rows.at(-1)?.position;
  } while (after !== undefined);
  const text = lines.map((cells) => `${cells.map(inQuotes).join(",")}\r\n`).join("");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = "addresses.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}

function inQuotes(cell: string): string {
  return `"${(formula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
}
