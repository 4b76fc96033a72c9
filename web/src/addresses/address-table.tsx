import { ArrowDown, ArrowUp } from "lucide-react";
import { SelectBox } from "../parts/select-box.tsx";
import type { VirtualRows } from "../parts/use-virtual-rows.ts";
import { useSpeech, useTexts } from "../texts/texts.tsx";
import { FailedCell, LastCell, NameCell, TargetsCell } from "./address-cells.tsx";
import { AddressSwitch } from "./address-switch.tsx";
import type { AddressRow, ColumnId, AddressTable as Table } from "./use-address-table.ts";

interface AddressTableProps {
  table: Table;
  shown: VirtualRows<AddressRow>;
  /** Of all that match, whether they were read or not. */
  totalCount: number;
}

/** The addresses as a table of which the rows in view alone are made. */
export function AddressTable({ table, shown: { ref, rows, before, after }, totalCount }: AddressTableProps) {
  const { addresses: t } = useTexts();
  return (
    <div className="table-frame" ref={ref}>
      {/* One more: the row of the headings. */}
      <table className="table" aria-label={t.table} aria-rowcount={totalCount + 1}>
        <thead>
          <tr>
            {table.getFlatHeaders().map(({ column }) => (
              <HeadCell key={column.id} table={table} id={column.id as ColumnId} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Space heightPx={before} />}
          {rows.map(({ index, item }) => (
            <Row key={item.id} row={item} position={index + 2} />
          ))}
          {after > 0 && <Space heightPx={after} />}
        </tbody>
      </table>
    </div>
  );
}

/** As high as the rows that are not made. */
function Space({ heightPx }: { heightPx: number }) {
  return (
    <tr>
      <td colSpan={7} className="table-space" style={{ height: heightPx }} />
    </tr>
  );
}

function HeadCell({ table, id }: { table: Table; id: ColumnId }) {
  const { addresses: t } = useTexts();
  const column = table.getColumn(id);
  if (id === "select")
    return (
      <th className="cell-select">
        <SelectBox
          label={t.selectAll}
          isSelected={table.getIsAllRowsSelected()}
          isIndeterminate={table.getIsSomeRowsSelected()}
          onChange={(isSelected) => table.toggleAllRowsSelected(isSelected)}
        />
      </th>
    );
  const sorted = column?.getIsSorted() ?? false;
  const Arrow = sorted === "asc" ? ArrowUp : ArrowDown;
  if (!column?.getCanSort()) return <th className={`cell-${id}`}>{t.columns[id]}</th>;
  return (
    <th
      className={`cell-${id}`}
      {...(sorted ? { "aria-sort": sorted === "asc" ? ("ascending" as const) : ("descending" as const) } : {})}
    >
      <button type="button" className="sort" onClick={() => column.toggleSorting()}>
        {t.columns[id]}
        {sorted && <Arrow className="icon" aria-hidden="true" />}
      </button>
    </th>
  );
}

function Row({ row, position }: { row: AddressRow; position: number }) {
  const { locale, texts } = useSpeech();
  const { addresses: t } = texts;
  const { original: binding } = row;
  return (
    <tr aria-rowindex={position} className="table-row" data-selected={row.getIsSelected() || undefined}>
      <td className="cell-select">
        <SelectBox
          label={t.select(binding.proxyAddress)}
          isSelected={row.getIsSelected()}
          onChange={(isSelected) => row.toggleSelected(isSelected)}
        />
      </td>
      <th scope="row" className="cell-address">
        <NameCell binding={binding} />
      </th>
      <td className="cell-target">
        <TargetsCell binding={binding} />
      </td>
      <td className="cell-received">{binding.receivedEmails.toLocaleString(locale)}</td>
      <td className="cell-failed">
        <FailedCell binding={binding} />
      </td>
      <td className="cell-last">
        <LastCell binding={binding} />
      </td>
      <td className="cell-isOn">
        <AddressSwitch binding={binding} />
      </td>
    </tr>
  );
}
