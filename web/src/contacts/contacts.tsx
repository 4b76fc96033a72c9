import { PenLine, Users } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { type BindingFragment, Contacts as ContactsQuery } from "../graph/gen/operations.ts";
import { useConnection } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { useTexts } from "../texts/texts.tsx";
import { ContactRow } from "./contact-row.tsx";
import { WriteDialog } from "./write-dialog.tsx";

/** Whom an address knows, and the way to write to somebody from it. */
export function Contacts({ binding }: { binding: BindingFragment }) {
  const { binding: ofAddress, contacts: t } = useTexts();
  const [search, setSearch] = useState("");
  const [isWriting, setIsWriting] = useState(false);
  const settled = useDebounced(search.trim());
  const list = useConnection(ContactsQuery, { id: binding.id, search: settled }, (data) => data.proxyBinding?.contacts);
  const isEmpty = list.totalCount === 0;
  const write = binding.answers && (
    <Button look="primary" onClick={() => setIsWriting(true)}>
      <PenLine className="icon" aria-hidden="true" />
      {t.write}
    </Button>
  );
  return (
    <>
      {(!isEmpty || settled !== "") && (
        <div className="toolbar">
          <SearchInput label={t.search} value={search} onChange={setSearch} />
          {write}
        </div>
      )}
      <Fault error={list.error} onRetry={list.refetch} />
      {list.isPending && <Skeleton what={t.loading} />}
      {list.isMissing && <Missing what={t.what} onRetry={list.refetch} />}
      {isEmpty && settled !== "" && <p className="empty">{t.noMatch(settled)}</p>}
      {isEmpty && settled === "" && (
        <EmptyState
          icon={Users}
          title={t.none}
          action={
            write || (
              <Link href={`/addresses/${binding.id}/settings`} className="button button-plain">
                {ofAddress.tabs.settings}
              </Link>
            )
          }
        >
          {binding.answers ? t.noneLead : t.noneOff}
        </EmptyState>
      )}
      {list.nodes.length > 0 && (
        <ul className="contacts" aria-label={t.list}>
          {list.nodes.map((contact) => (
            <ContactRow key={contact.id} contact={contact} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      <WriteDialog binding={binding} isOpen={isWriting} onClose={() => setIsWriting(false)} />
    </>
  );
}
