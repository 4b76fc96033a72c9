import {
  createColumnHelper,
  functionalUpdate,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo, useState } from "react";
import type { BindingFragment } from "../graph/gen/operations.ts";
import type { ListState, Order } from "./list-state.ts";

const features = tableFeatures({ rowSelectionFeature, rowSortingFeature });
const column = createColumnHelper<typeof features, BindingFragment>();

/** Sorted by the server: a column is an order of its own, or none. */
const columns = column.columns([
  column.display({ id: "select" }),
  column.accessor("proxyAddress", { id: "address", sortDescFirst: false }),
  column.display({ id: "target", enableSorting: false }),
  column.accessor("receivedEmails", { id: "received", sortDescFirst: true }),
  column.display({ id: "failed", enableSorting: false }),
  column.accessor("lastReceivedAt", { id: "last", sortDescFirst: true }),
  column.display({ id: "isOn", enableSorting: false }),
]);
export type ColumnId = "select" | "address" | "target" | "received" | "failed" | "last" | "isOn";

export type AddressTable = ReturnType<typeof useAddressTable>["table"];
export type AddressRow = ReturnType<AddressTable["getRowModel"]>["rows"][number];

/** The state of the list as a table: what is sorted stands in the URL, what is selected is forgotten with the page. */
export function useAddressTable(
  bindings: BindingFragment[],
  { search, isOn, domain, order, isDescending }: ListState,
  onChange: (change: Partial<ListState>) => void,
) {
  const [some, setSome] = useState<RowSelectionState>({});
  // All that match are selected, those too that were not read yet, as long as the same is asked for.
  const asked = JSON.stringify([search, isOn, domain]);
  const [allOf, setAllOf] = useState<string>();
  const isAllSelected = allOf === asked;
  const rowSelection: RowSelectionState = isAllSelected
    ? Object.fromEntries(bindings.map(({ id }) => [id, true as const]))
    : some;
  const sorting = useMemo<SortingState>(() => [{ id: order, desc: isDescending }], [order, isDescending]);
  const table = useTable({
    features,
    columns,
    data: bindings,
    getRowId: ({ id }) => id,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { sorting, rowSelection },
    onRowSelectionChange: (updater) => {
      setAllOf(undefined);
      setSome(isAllSelected ? functionalUpdate(updater, rowSelection) : updater);
    },
    onSortingChange: (updater) => {
      const [sort] = functionalUpdate(updater, sorting);
      if (sort) onChange({ order: sort.id as Order, isDescending: sort.desc });
    },
  });
  return { table, isAllSelected, selectAll: () => setAllOf(asked) };
}
