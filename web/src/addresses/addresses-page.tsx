import type { RowSelectionState } from "@tanstack/react-table";
import { SearchX } from "lucide-react";
import { useRef, useSyncExternalStore } from "react";
import { useSearchParams } from "wouter";
import { AccountChart } from "../charts/charts.tsx";
import { ProxyBindings } from "../graph/gen/operations.ts";
import { pagesOf } from "../graph/pages-of.ts";
import { useConnection } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useVirtualRows } from "../parts/use-virtual-rows.ts";
import { useFreshProof } from "../proof/fresh-proof.ts";
import { useTexts } from "../texts/texts.tsx";
import { AddressCards } from "./address-cards.tsx";
import { AddressTable } from "./address-table.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { CreateDialog } from "./create-dialog.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { isEverything, type ListState, useListState, variablesOf } from "./list-state.ts";
import { ListToolbar } from "./list-toolbar.tsx";
import { QuotaNote } from "./quota-note.tsx";
import { useAddressTable } from "./use-address-table.ts";
import { useBulk } from "./use-bulk.ts";

/** Who has more than these needs no first steps. */
const fewAddresses = 3;
const fewEmails = 5;

/** All proxy addresses: searched, sorted, switched, several at once. */
export function AddressesPage() {
  const { addresses: t } = useTexts();
  const [state, setState] = useListState();
  const [isCreating, setIsCreating] = useIsCreating();
  const list = useConnection(ProxyBindings, variablesOf(state), (data) => data.proxyBindings);
  const { nodes, totalCount } = list;
  const isAll = isEverything(state);
  const isNew =
    isAll && nodes.length <= fewAddresses && nodes.every(({ receivedEmails }) => receivedEmails <= fewEmails);
  const action = (
    <Button look="primary" onClick={() => setIsCreating(true)}>
      {t.newAddress}
    </Button>
  );
  return (
    <Page title={t.title} actions={action}>
      <Fault error={list.error} onRetry={list.refetch} />
      {list.isMissing && <Missing what={t.what} onRetry={list.refetch} />}
      {list.isSuccess && !list.isMissing && isNew && (
        <FirstSteps bindings={nodes} onCreate={() => setIsCreating(true)} />
      )}
      {isAll && <AccountChart isShown={!list.isPending} />}
      {(!isAll || totalCount !== 0) && <List list={list} state={state} onChange={setState} />}
      <CreateDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

/** The dialog is open where the URL says so: the palette and a key of every page lead to it. */
function useIsCreating(): [boolean, (isOpen: boolean) => void] {
  const [params, setParams] = useSearchParams();
  const set = (isOpen: boolean) =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former);
        if (isOpen) next.set("new", "");
        else next.delete("new");
        return next;
      },
      { replace: true },
    );
  return [params.has("new"), set];
}

const narrowPage = window.matchMedia("(max-width: 52rem)");

function listenToWidth(listener: () => void): () => void {
  narrowPage.addEventListener("change", listener);
  return () => narrowPage.removeEventListener("change", listener);
}

/** Whether the page is as narrow as a phone's: tables are cards there. The same bound as in the style sheets. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(listenToWidth, () => narrowPage.matches);
}

type Connection = ReturnType<typeof useConnection<unknown, { after?: string | null }, never>>;

interface ListProps {
  list: Pick<Connection, "isPending" | "hasNextPage" | "isFetchingNextPage" | "totalCount" | "fetchNextPage"> & {
    nodes: Parameters<typeof useAddressTable>[0];
  };
  state: ListState;
  onChange(change: Partial<ListState>): void;
}

/** Reads all that a list has, in an order that no change of one of them changes. */
function useAllThatMatch(state: ListState) {
  const withFreshProof = useFreshProof();
  const variables = { ...variablesOf(state), order: "CREATED", sort: "ASC" } as const;
  return () => pagesOf(ProxyBindings, variables, (data) => data.proxyBindings, withFreshProof);
}

function without(selection: RowSelectionState, ids: readonly string[]): RowSelectionState {
  return Object.fromEntries(Object.entries(selection).filter(([id]) => !ids.includes(id)));
}

function List({ list, state, onChange }: ListProps) {
  const { addresses: t } = useTexts();
  const isNarrow = useIsNarrow();
  const { nodes, totalCount = 0 } = list;
  const { table, isAllSelected, selectAll } = useAddressTable(nodes, state, onChange);
  const shown = useVirtualRows({
    items: table.getRowModel().rows,
    keyOf: ({ id }) => id,
    rowPx: isNarrow ? 132 : 57,
    onNearEnd: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
  });
  const selected = table.getSelectedRowModel().rows.map(({ original }) => original);
  const allThatMatch = useAllThatMatch(state);
  // What first comes with the list stands above the toolbar and would move it; later, one may be typing in it while another list comes.
  const hasCome = useRef(false);
  hasCome.current ||= !list.isPending;
  // Here, not in its bar, which may go: it has to be seen, and stopped, as long as it takes. What failed, and what was selected meanwhile, stays so.
  const bulk = useBulk((ids) => table.setRowSelection((current) => without(current, ids)));
  const chosen = isAllSelected
    ? { count: totalCount, batches: allThatMatch }
    : { count: selected.length, batches: () => [selected] };
  return (
    <>
      {hasCome.current && <ListToolbar state={state} onChange={onChange} hasOrder={isNarrow} />}
      {(selected.length > 0 || bulk.progress) && (
        <BulkBar
          bulk={bulk}
          chosen={chosen}
          isAll={isAllSelected}
          {...(table.getIsAllRowsSelected() && totalCount > nodes.length ? { more: { totalCount, selectAll } } : {})}
          onClear={() => table.resetRowSelection()}
        />
      )}
      {list.isPending && <Skeleton what={t.loading} />}
      {!list.isPending && totalCount === 0 && (
        <EmptyState
          icon={SearchX}
          title={t.noneFits}
          action={
            <Button onClick={() => onChange({ search: "", isOn: undefined, domain: undefined })}>
              {t.clearFilters}
            </Button>
          }
        >
          {t.noneFitsLead(state.search)}
        </EmptyState>
      )}
      {totalCount > 0 &&
        (isNarrow ? (
          <AddressCards shown={shown} />
        ) : (
          <AddressTable table={table} shown={shown} totalCount={totalCount} />
        ))}
      {totalCount > 0 && (
        <div className="list-foot">
          <p className="hint" role="status">
            {t.total(totalCount)}
          </p>
          <QuotaNote />
        </div>
      )}
    </>
  );
}
