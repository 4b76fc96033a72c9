import { useState } from "react";
import { type BindingFragment, Inbox as InboxQuery } from "../graph/gen/operations.ts";
import { useConnection } from "../graph/use-graph.ts";
import { Loading } from "../parts/loading.tsx";
import { MailToTry } from "../parts/mail-to-try.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { useSettled } from "../parts/use-settled.ts";
import { EmailRow } from "./email-row.tsx";
import { LiveNote } from "./live-note.tsx";

/** What arrived at a binding and was kept, newest first, as it arrives. */
export function Inbox({ binding }: { binding: BindingFragment }) {
  return (
    <section className="inbox" aria-labelledby="inbox-title">
      <div className="section-head">
        <h2 id="inbox-title">Inbox</h2>
        {binding.isBrowsable && <LiveNote />}
      </div>
      {binding.isBrowsable ? <EmailList binding={binding} /> : <NotKept />}
    </section>
  );
}

function NotKept() {
  return (
    <p className="empty">
      Mail to this address is passed on and not kept here. To read it here as well, turn on “Keep mail here to read”
      under “Change”.
    </p>
  );
}

function EmailList({ binding: { id, proxyAddress } }: { binding: BindingFragment }) {
  const [search, setSearch] = useState("");
  const settled = useSettled(search.trim());
  const list = useConnection(InboxQuery, { id, search: settled }, (data) => data.proxyBinding?.emails);
  const isEmpty = list.totalCount === 0;
  return (
    <>
      {(!isEmpty || settled !== "") && (
        <SearchInput label="Search senders and subjects" value={search} onChange={setSearch} />
      )}
      <Fault error={list.error} />
      {list.isPending && <Loading what="Loading the mail" />}
      {list.isMissing && <Missing what="The mail" />}
      {isEmpty && settled !== "" && <p className="empty">No sender or subject has “{settled}” in it.</p>}
      {isEmpty && settled === "" && (
        <div className="card empty-inbox">
          <h3>Nothing has arrived yet</h3>
          <MailToTry proxyAddress={proxyAddress} />
        </div>
      )}
      <ul className="emails" aria-label="Mail">
        {list.nodes.map((email) => (
          <EmailRow key={email.id} email={email} />
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {list.totalCount !== undefined && `${list.totalCount} ${list.totalCount === 1 ? "mail" : "mails"}`}
      </p>
      <MoreButton list={list} />
    </>
  );
}
