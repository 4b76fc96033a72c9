import { useState } from "react";
import { ProxyBindings } from "../graph/gen/operations.ts";
import { useConnection } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Loading } from "../parts/loading.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { useSettled } from "../parts/use-settled.ts";
import { BindingCard } from "./binding-card.tsx";
import { CreateDialog } from "./create-dialog.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { QuotaNote } from "./quota-note.tsx";

/** All proxy addresses, each with what it does. */
export function BoardPage() {
  const [search, setSearch] = useState("");
  const [isCreating, setIsCreating] = useState(false);
  const settled = useSettled(search.trim());
  const list = useConnection(ProxyBindings, { search: settled }, (data) => data.proxyBindings);
  const isEmpty = list.totalCount === 0;
  const isNew = settled === "" && list.nodes.every((binding) => binding.receivedEmails === 0);
  const action = (
    <Button look="primary" onPress={() => setIsCreating(true)}>
      New address
    </Button>
  );
  return (
    <Page title="Your addresses" actions={action}>
      <div className="toolbar">
        <SearchInput label="Search addresses and descriptions" value={search} onChange={setSearch} />
        <QuotaNote />
      </div>
      <Fault error={list.error} />
      {list.isPending && <Loading what="Loading your addresses" />}
      {list.isMissing && <Missing what="Your addresses" />}
      {isEmpty && settled !== "" && <p className="empty">No address or description has “{settled}” in it.</p>}
      {list.isSuccess && !list.isMissing && isNew && (
        <FirstSteps binding={list.nodes[0]} onCreate={() => setIsCreating(true)} />
      )}
      <ul className="cards" aria-label="Addresses">
        {list.nodes.map((binding) => (
          <BindingCard key={binding.id} binding={binding} />
        ))}
      </ul>
      <MoreButton list={list} />
      <CreateDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}
