import { Inbox } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { Mail, MarkAllRead } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { ViewTabs } from "../parts/view-tabs.tsx";
import { useTexts } from "../texts/texts.tsx";
import { LiveNote } from "./live-note.tsx";
import { MailList } from "./mail-list.tsx";
import { useMail } from "./use-mail.ts";

const views = {
  kept: { isKept: true },
  unread: { isUnread: true },
  all: {},
} as const;

type View = keyof typeof views;

/** The email of all addresses. What is searched and which part is shown stands in the URL. */
export function InboxPage() {
  const { navigation, inbox: t } = useTexts();
  const [params, setParams] = useSearchParams();
  const view = Object.hasOwn(views, params.get("view") ?? "") ? (params.get("view") as View) : "kept";
  const [search, setSearch] = useState(params.get("q") ?? "");
  const settled = useDebounced(search.trim());
  useEffect(() => {
    setParams({ ...(settled === "" ? {} : { q: settled }), ...(view === "kept" ? {} : { view }) }, { replace: true });
  }, [settled, view, setParams]);
  const list = useMail(settled, views[view]);
  const { unread } = list;
  useEffect(() => {
    document.title = `${unread ? `(${unread}) ` : ""}${navigation.inbox} · Postern`;
  }, [unread, navigation.inbox]);
  const markAll = useChange(MarkAllRead, [Mail]);
  const isEmpty = list.isSuccess && !list.isMissing && list.nodes.length === 0;
  const action = unread ? (
    <Button look="quiet" onClick={() => markAll.mutate({ bindingId: null })} isPending={markAll.isPending}>
      {t.markAllRead}
    </Button>
  ) : undefined;
  return (
    <Page title={navigation.inbox} actions={action}>
      <div className="toolbar">
        <SearchInput label={t.search} value={search} onChange={setSearch} />
        <LiveNote />
      </div>
      <ViewTabs
        name={t.views}
        views={[
          { id: "kept", name: t.viewKept },
          { id: "unread", name: unread === undefined ? t.viewUnread : t.viewUnreadCount(unread) },
          { id: "all", name: t.viewAll },
        ]}
        current={view}
        onChange={(next) => setParams({ ...(settled === "" ? {} : { q: settled }), view: next }, { replace: true })}
      />
      <Fault error={list.error ?? markAll.error} onRetry={list.refetch} />
      {list.isPending && !list.error && <Skeleton what={t.loading} />}
      {list.isMissing && <Missing what={t.what} onRetry={list.refetch} />}
      {isEmpty && settled !== "" && <p className="empty">{t.noMatch(settled)}</p>}
      {isEmpty && settled === "" && (
        <EmptyState
          icon={Inbox}
          title={view === "unread" ? t.allRead : t.empty}
          action={
            <Link href="/" className="button button-plain">
              {navigation.addresses}
            </Link>
          }
        >
          {t.emptyHint}
        </EmptyState>
      )}
      {list.nodes.length > 0 && (
        <MailList
          name={t.list}
          emails={list.nodes}
          hasMore={list.hasNextPage}
          onMore={list.fetchNextPage}
          isWithAddress
        />
      )}
    </Page>
  );
}
