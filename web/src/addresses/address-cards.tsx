import { SelectBox } from "../parts/select-box.tsx";
import type { VirtualRows } from "../parts/use-virtual-rows.ts";
import { useTexts } from "../texts/texts.tsx";
import { FailedCell, LastCell, NameCell, TargetsCell } from "./address-cells.tsx";
import { AddressSwitch } from "./address-switch.tsx";
import type { AddressRow } from "./use-address-table.ts";

/** The addresses on a phone, of which those in view alone are made. */
export function AddressCards({ shown: { ref, rows, before, after, measure } }: { shown: VirtualRows<AddressRow> }) {
  const { addresses: t } = useTexts();
  return (
    <ul ref={ref} className="address-cards" aria-label={t.table} style={{ paddingBlock: `${before}px ${after}px` }}>
      {rows.map(({ index, item: row }) => {
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
              {t.receivedAndLast(t.received(binding.receivedEmails), <LastCell binding={binding} />)}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
