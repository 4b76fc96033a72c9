import { SelectBox } from "../parts/select-box.tsx";
import { useTexts } from "../texts/texts.tsx";
import { FailedCell, LastCell, NameCell, TargetsCell } from "./address-cells.tsx";
import { AddressSwitch } from "./address-switch.tsx";
import type { AddressTable } from "./use-address-table.ts";
import type { Window } from "./use-window.ts";

/** The addresses on a phone, of which those in view alone are made. */
export function AddressCards({ table, window: view }: { table: AddressTable; window: Window }) {
  const { addresses: t, board } = useTexts();
  const { rows } = table.getRowModel();
  const { ref, items, before, after, measure } = view;
  return (
    <div ref={ref}>
      <div style={{ height: before }} />
      <ul className="address-cards" aria-label={t.table}>
        {items.map(({ index }) => {
          const row = rows[index];
          if (!row) return null;
          const { original: binding } = row;
          return (
            <li key={row.id} className="address-card" ref={measure} data-index={index}>
              <div className="address-card-head">
                <SelectBox
                  label={t.select(binding.proxyAddress)}
                  isSelected={row.getIsSelected()}
                  onChange={(isSelected) => row.toggleSelected(isSelected)}
                />
                <NameCell binding={binding} />
                <AddressSwitch binding={binding} />
              </div>
              <TargetsCell binding={binding} />
              <FailedCell binding={binding} />
              <p className="hint">
                {t.receivedAndLast(board.received(binding.receivedEmails), <LastCell binding={binding} />)}
              </p>
            </li>
          );
        })}
      </ul>
      <div style={{ height: after }} />
    </div>
  );
}
