import { ArrowDownUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Domains } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { useTexts } from "../texts/texts.tsx";
import type { ListState, Order } from "./list-state.ts";

interface ListToolbarProps {
  state: ListState;
  onChange(change: Partial<ListState>): void;
  /** There is no table to sort by its headings. */
  hasOrder: boolean;
}

const settleMs = 120;

/** What narrows the list down, and on a phone what it is sorted by. */
export function ListToolbar({ state, onChange, hasOrder }: ListToolbarProps) {
  const { addresses: t } = useTexts();
  const { isOn, order, isDescending } = state;
  const shownState = isOn === undefined ? "all" : isOn ? "on" : "off";
  return (
    <div className="toolbar">
      <Search search={state.search} onChange={(search) => onChange({ search })} />
      <Choice
        label={t.state}
        options={t.states}
        value={shownState}
        onChange={(chosen) => onChange({ isOn: chosen === "all" ? undefined : chosen === "on" })}
      />
      <DomainFilter domain={state.domain} onChange={(domain) => onChange({ domain })} />
      {hasOrder && (
        <div className="order">
          <Choice
            label={t.sortBy}
            options={t.orders}
            value={order}
            onChange={(chosen: Order) => onChange({ order: chosen })}
          />
          <Button look="icon" aria-label={t.reverse} onClick={() => onChange({ isDescending: !isDescending })}>
            <ArrowDownUp className="icon" aria-hidden="true" />
          </Button>
        </div>
      )}
    </div>
  );
}

/** Asks once the typing pauses; what was asked stands in the URL, and “back” brings it here again. */
function Search({ search, onChange }: { search: string; onChange(search: string): void }) {
  const { addresses: t } = useTexts();
  const [typed, setTyped] = useState(search);
  const settled = useDebounced(typed.trim(), settleMs);
  const latest = useRef({ search, onChange });
  latest.current = { search, onChange };
  useEffect(() => {
    if (settled !== latest.current.search) latest.current.onChange(settled);
  }, [settled]);
  useEffect(() => setTyped((now) => (now.trim() === search ? now : search)), [search]);
  return <SearchInput label={t.search} value={typed} onChange={setTyped} />;
}

interface DomainFilterProps {
  domain: string | undefined;
  onChange(domain: string | undefined): void;
}

/** Where there are domains of one's own. */
function DomainFilter({ domain, onChange }: DomainFilterProps) {
  const { addresses: t } = useTexts();
  const own = useGraph(Domains, {}).data?.domains ?? [];
  if (own.length === 0 && domain === undefined) return null;
  const names = [...new Set([...own.map(({ name }) => name), ...(domain === undefined ? [] : [domain])])];
  const options = Object.fromEntries([["", t.allDomains], ...names.map((name) => [name, name])]);
  return (
    <Choice
      label={t.domain}
      options={options}
      value={domain ?? ""}
      onChange={(chosen) => onChange(chosen === "" ? undefined : chosen)}
    />
  );
}
