import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { subjectOf, whoOf } from "../email/summary.ts";
import { MailList } from "../inbox/mail-list.tsx";
import { BatchProgress } from "../parts/batch-progress.tsx";
import { Button } from "../parts/button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { SelectBox } from "../parts/select-box.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { ViewTabs } from "../parts/view-tabs.tsx";
import { useTexts } from "../texts/texts.tsx";
import { FailureFilters } from "./failure-filters.tsx";
import { useFailures } from "./use-failures.ts";
import { isRetryable, useRetry } from "./use-retry.ts";

/** What could not be delivered, of all addresses; some of it, or all that matches, is tried again at once. */
export function FailuresPage() {
  const { failures: t, inbox, navigation } = useTexts();
  const { view, address, reason, period, isNarrowed, narrow, filter, list } = useFailures();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { progress, stop, retryThese, retryAll } = useRetry(filter, (ids) =>
    setSelected((current) => new Set([...current].filter((id) => !ids.includes(id)))),
  );
  const retryable = list.nodes.filter(isRetryable).map(({ id }) => id);
  const chosen = retryable.filter((id) => selected.has(id));
  /** Unknown as long as not all of them were read, or what is listed is still what another filter left. */
  const total = list.hasNextPage || list.isPlaceholderData ? undefined : retryable.length;
  const toggle = (id: string, isSelected: boolean) =>
    setSelected((current) => new Set(isSelected ? [...current, id] : [...current].filter((each) => each !== id)));
  const isEmpty = list.isSuccess && !list.isMissing && list.nodes.length === 0;
  const hasAction = retryable.length > 0 || list.hasNextPage || progress !== undefined;
  const action = hasAction ? (
    <>
      {progress && <BatchProgress progress={progress} onStop={stop} />}
      <Button
        look="primary"
        onClick={() => void (chosen.length > 0 ? retryThese(chosen) : retryAll(total))}
        isPending={progress !== undefined || list.isPlaceholderData}
      >
        {chosen.length > 0 ? t.retryChosen(chosen.length) : t.retryAll(total)}
      </Button>
    </>
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
      <Fault error={list.error} onRetry={list.refetch} />
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
          isWithReason
          before={(email) =>
            isRetryable(email) ? (
              <SelectBox
                label={t.choose(whoOf(email, inbox), subjectOf(email, inbox))}
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
