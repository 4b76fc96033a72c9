import { useState } from "react";
import { useSearchParams } from "wouter";
import { ProxyBindings } from "../graph/gen/operations.ts";
import { useConnection } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Loading } from "../parts/loading.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { useSettled } from "../parts/use-settled.ts";
import { useTexts } from "../texts/texts.tsx";
import { BindingCard } from "./binding-card.tsx";
import { CreateDialog } from "./create-dialog.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { QuotaNote } from "./quota-note.tsx";

/** All proxy addresses, each with what it does. */
export function BoardPage() {
  const { board: t } = useTexts();
  const [search, setSearch] = useState("");
  const [params, setParams] = useSearchParams();
  const isCreating = params.has("new");
  const setIsCreating = (isOpen: boolean) => setParams(isOpen ? { new: "" } : {}, { replace: true });
  const settled = useSettled(search.trim());
  const list = useConnection(ProxyBindings, { search: settled }, (data) => data.proxyBindings);
  const isEmpty = list.totalCount === 0;
  const isNew = settled === "" && list.nodes.every((binding) => binding.receivedEmails === 0);
  const action = (
    <Button look="primary" onPress={() => setIsCreating(true)}>
      {t.newAddress}
    </Button>
  );
  return (
    <Page title={t.title} actions={action}>
      <div className="toolbar">
        <SearchInput label={t.search} value={search} onChange={setSearch} />
        <QuotaNote />
      </div>
      <Fault error={list.error} onRetry={list.refetch} />
      {list.isPending && <Loading what={t.loading} />}
      {list.isMissing && <Missing what={t.what} onRetry={list.refetch} />}
      {isEmpty && settled !== "" && <p className="empty">{t.noMatch(settled)}</p>}
      {list.isSuccess && !list.isMissing && isNew && (
        <FirstSteps binding={list.nodes[0]} onCreate={() => setIsCreating(true)} />
      )}
      <ul className="cards" aria-label={t.list}>
        {list.nodes.map((binding) => (
          <BindingCard key={binding.id} binding={binding} />
        ))}
      </ul>
      <MoreButton list={list} />
      <CreateDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}
