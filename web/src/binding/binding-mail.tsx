import { useState } from "react";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { LiveNote } from "../inbox/live-note.tsx";
import { MailList } from "../inbox/mail-list.tsx";
import { useMail } from "../inbox/use-mail.ts";
import { Loading } from "../parts/loading.tsx";
import { MailToTry } from "../parts/mail-to-try.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { useTexts } from "../texts/texts.tsx";

/** What came to a binding, newest first, as it arrives; of one that keeps nothing, who wrote and what became of it. */
export function BindingMail({ binding }: { binding: BindingFragment }) {
  const { bindingMail: t } = useTexts();
  return (
    <section className="inbox" aria-labelledby="inbox-title">
      <div className="section-head">
        <h2 id="inbox-title">{t.title}</h2>
        {binding.isBrowsable && <LiveNote />}
      </div>
      {!binding.isBrowsable && <p className="empty">{t.notKept}</p>}
      <EmailList binding={binding} />
    </section>
  );
}

function EmailList({ binding: { id, proxyAddress, isBrowsable } }: { binding: BindingFragment }) {
  const { bindingMail: t, inbox } = useTexts();
  const [search, setSearch] = useState("");
  const settled = useDebounced(search.trim());
  const list = useMail(settled, { bindingId: id });
  const isEmpty = list.isSuccess && !list.isMissing && list.nodes.length === 0;
  return (
    <>
      {isBrowsable && (!isEmpty || settled !== "") && (
        <SearchInput label={inbox.search} value={search} onChange={setSearch} />
      )}
      <Fault error={list.error} onRetry={list.refetch} />
      {list.isPending && <Loading what={inbox.loading} />}
      {list.isMissing && <Missing what={t.what} onRetry={list.refetch} />}
      {isEmpty && settled !== "" && <p className="empty">{inbox.noMatch(settled)}</p>}
      {isEmpty && settled === "" && isBrowsable && (
        <div className="card empty-inbox">
          <h3>{t.empty}</h3>
          <MailToTry proxyAddress={proxyAddress} />
        </div>
      )}
      {list.nodes.length > 0 && (
        <MailList
          name={inbox.list}
          emails={list.nodes}
          hasMore={list.hasNextPage}
          onMore={list.fetchNextPage}
          isWithAddress={false}
        />
      )}
      <p className="visually-hidden" role="status">
        {list.isSuccess && !list.hasNextPage && t.emails(list.nodes.length)}
      </p>
    </>
  );
}
