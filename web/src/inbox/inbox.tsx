import { useState } from "react";
import { type BindingFragment, Inbox as InboxQuery } from "../graph/gen/operations.ts";
import { useConnection } from "../graph/use-graph.ts";
import { Loading } from "../parts/loading.tsx";
import { MailToTry } from "../parts/mail-to-try.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { useSettled } from "../parts/use-settled.ts";
import { useTexts } from "../texts/texts.tsx";
import { EmailRow } from "./email-row.tsx";
import { LiveNote } from "./live-note.tsx";

/** What arrived at a binding and was kept, newest first, as it arrives. */
export function Inbox({ binding }: { binding: BindingFragment }) {
  const { inbox: t } = useTexts();
  return (
    <section className="inbox" aria-labelledby="inbox-title">
      <div className="section-head">
        <h2 id="inbox-title">{t.title}</h2>
        {binding.isBrowsable && <LiveNote />}
      </div>
      {binding.isBrowsable ? <EmailList binding={binding} /> : <NotKept />}
    </section>
  );
}

function NotKept() {
  const { inbox: t } = useTexts();
  return <p className="empty">{t.notKept}</p>;
}

function EmailList({ binding: { id, proxyAddress } }: { binding: BindingFragment }) {
  const { inbox: t } = useTexts();
  const [search, setSearch] = useState("");
  const settled = useSettled(search.trim());
  const list = useConnection(InboxQuery, { id, search: settled }, (data) => data.proxyBinding?.emails);
  const isEmpty = list.totalCount === 0;
  return (
    <>
      {(!isEmpty || settled !== "") && <SearchInput label={t.search} value={search} onChange={setSearch} />}
      <Fault error={list.error} onRetry={list.refetch} />
      {list.isPending && <Loading what={t.loading} />}
      {list.isMissing && <Missing what={t.what} onRetry={list.refetch} />}
      {isEmpty && settled !== "" && <p className="empty">{t.noMatch(settled)}</p>}
      {isEmpty && settled === "" && (
        <div className="card empty-inbox">
          <h3>{t.empty}</h3>
          <MailToTry proxyAddress={proxyAddress} />
        </div>
      )}
      <ul className="emails" aria-label={t.list}>
        {list.nodes.map((email) => (
          <EmailRow key={email.id} email={email} />
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {list.totalCount !== undefined && t.emails(list.totalCount)}
      </p>
      <MoreButton list={list} />
    </>
  );
}
