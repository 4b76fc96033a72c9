import type { ReactNode } from "react";
import { Scroller } from "./scroller.tsx";

interface DataTableProps {
  name: string;
  columns: readonly string[];
  /** Each with its key; the first cell names the row. */
  rows: readonly { readonly id: string | number; readonly cells: readonly ReactNode[] }[];
}

/** A plain table; where it is too narrow for its columns each row is a card, and each cell is preceded by its column's name. */
export function DataTable({ name, columns, rows }: DataTableProps) {
  return (
    <Scroller name={name}>
      <table className="data-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [head, ...cells] }) => (
            <tr key={id}>
              <th scope="row">{head}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]} data-column={columns[index + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
