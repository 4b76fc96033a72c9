import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { subjectOf } from "../email/summary.ts";
import { Mail, RetryFailed } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { MailList } from "../inbox/mail-list.tsx";
import type { ListedEmail } from "../inbox/use-mail.ts";
import { Button } from "../parts/button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { SelectBox } from "../parts/select-box.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { toast } from "../parts/toasts.tsx";
import { ViewTabs } from "../parts/view-tabs.tsx";
import { useTexts } from "../texts/texts.tsx";
import { FailureFilters } from "./failure-filters.tsx";
import { useFailures } from "./use-failures.ts";

/** As many as the server takes at once. */
const mostRetried = 100;

/** What could not be delivered, of all addresses; some of it, or all that is shown, is tried again at once. */
export function FailuresPage() {
  const { failures: t, inbox, navigation } = useTexts();
  const { view, address, reason, period, isNarrowed, narrow, list } = useFailures();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const retry = useChange(RetryFailed, [Mail], ({ retryDeliveries, retryCallbacks }) => {
    setSelected(new Set());
    toast(t.retried((retryDeliveries?.count ?? 0) + (retryCallbacks?.count ?? 0)));
  });
  const retryable = list.nodes.filter(isRetryable).map(({ id }) => id);
  const chosen = retryable.filter((id) => selected.has(id));
  const emailIds = (chosen.length > 0 ? chosen : retryable).slice(0, mostRetried);
  const toggle = (id: string, isSelected: boolean) =>
    setSelected(new Set(isSelected ? [...selected, id] : [...selected].filter((each) => each !== id)));
  const isEmpty = list.isSuccess && !list.isMissing && list.nodes.length === 0;
  const action =
    emailIds.length > 0 ? (
      <Button look="primary" onClick={() => retry.mutate({ emailIds })} isPending={retry.isPending}>
        {chosen.length > 0 ? t.retryChosen(chosen.length) : t.retryShown(emailIds.length)}
      </Button>
    ) : undefined;
  return (
    <Page title={navigation.failures} actions={action}>
      <ViewTabs
        name={inbox.views}
        views={Object.entries(t.views).map(([id, name]) => ({ id, name }))}
        current={view}
        onChange={(next) => narrow({ view: next })}
      />
      <FailureFilters
        address={address}
        reason={reason}
        period={period}
        onAddressChange={(chosen) => narrow({ address: chosen })}
        onReasonChange={(chosen) => narrow({ reason: chosen })}
        onPeriodChange={(chosen) => narrow({ time: chosen })}
      />
      <Fault error={list.error ?? retry.error} onRetry={list.refetch} />
      {list.isPending && !list.error && <Skeleton what={inbox.loading} />}
      {list.isMissing && <Missing what={t.what} onRetry={list.refetch} />}
      {isEmpty && <NoFailures isNarrowed={isNarrowed} />}
      {list.nodes.length > 0 && (
        <MailList
          name={t.list}
          emails={list.nodes}
          hasMore={list.hasNextPage}
          onMore={list.fetchNextPage}
          isWithAddress
          before={(email) =>
            isRetryable(email) ? (
              <SelectBox
                label={t.choose(subjectOf(email, inbox))}
                isSelected={selected.has(email.id)}
                onChange={(isSelected) => toggle(email.id, isSelected)}
              />
            ) : (
              <span className="tick" />
            )
          }
        />
      )}
    </Page>
  );
}

function NoFailures({ isNarrowed }: { isNarrowed: boolean }) {
  const { failures: t } = useTexts();
  if (isNarrowed) return <p className="empty">{t.noneFits}</p>;
  return (
    <EmptyState icon={CircleCheck} title={t.none}>
      {t.noneHint}
    </EmptyState>
  );
}

/** Of an email that is not kept nothing is left to send once all came to an end. */
function isRetryable({ isKept, isProcessed }: ListedEmail): boolean {
  return isKept || !isProcessed;
}
