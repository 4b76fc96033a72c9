import {
  type DestinationFragment,
  OperatorQueues as Queues,
  RetryDestination,
  SetDestinationPaused,
} from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { TimeSince } from "../parts/date-time.tsx";
import { Fault } from "../parts/notice.tsx";
import { toast } from "../parts/toasts.tsx";
import { useSpeech } from "../texts/texts.tsx";
import { OperatorList } from "./operator-list.tsx";

const refetchMs = 15_000;

/** The domains that mail waits for. */
export function OperatorQueues() {
  const { locale, texts } = useSpeech();
  const { operator: t } = texts;
  const answer = useGraph(Queues, {}, () => refetchMs);
  const retry = useChange(RetryDestination, [Queues], ({ retryDestination }) =>
    toast(t.retried(retryDestination?.count ?? 0)),
  );
  const pause = useChange(SetDestinationPaused, [Queues]);
  const rows = (destinations: readonly DestinationFragment[]) =>
    destinations.map(({ domain, waiting, oldestAt, pausedAt }) => ({
      id: domain,
      cells: [
        domain,
        waiting.toLocaleString(locale),
        oldestAt && <TimeSince key="oldest" at={oldestAt} />,
        pausedAt ? (
          <span key="state" className="state state-waiting">
            {t.paused}
          </span>
        ) : (
          ""
        ),
        <span key="actions" className="states">
          <Button look="quiet" onClick={() => retry.mutate({ domain })} aria-label={t.retryWhat(domain)}>
            {t.retry}
          </Button>
          <Button
            look="quiet"
            onClick={() => pause.mutate({ domain, isPaused: !pausedAt })}
            aria-label={pausedAt ? t.resumeWhat(domain) : t.pauseWhat(domain)}
          >
            {pausedAt ? t.resume : t.pause}
          </Button>
        </span>,
      ],
    }));
  return (
    <>
      <Fault error={retry.error ?? pause.error} />
      <OperatorList answer={answer} list={answer.data?.operator?.destinations} what={t.views.queues} none={t.noQueues}>
        {(destinations) => <DataTable name={t.views.queues} columns={t.queueColumns} rows={rows(destinations)} />}
      </OperatorList>
    </>
  );
}
