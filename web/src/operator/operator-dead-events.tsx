import { useMutation } from "@tanstack/react-query";
import { ask } from "../graph/ask.ts";
import {
  type DeadEventFragment,
  OperatorDeadEvents as DeadEvents,
  ResendAuthDeadEvents,
  ResendBindingsDeadEvents,
  ResendForwarderDeadEvents,
  ResendMailboxDeadEvents,
  ResendWebhookDeadEvents,
} from "../graph/gen/operations.ts";
import type { Operation } from "../graph/operation.ts";
import { useGraph, useInvalidate } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { TimeSince } from "../parts/date-time.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { toast } from "../parts/toasts.tsx";
import { useTexts } from "../texts/texts.tsx";
import { OperatorList } from "./operator-list.tsx";

type Service = "auth" | "bindings" | "mailbox" | "forwarder" | "webhook";

/** Each service has its own, and the way to have them processed again. */
const services: Readonly<Record<Service, Operation<unknown, { ids: string[] }>>> = {
  auth: ResendAuthDeadEvents,
  bindings: ResendBindingsDeadEvents,
  mailbox: ResendMailboxDeadEvents,
  forwarder: ResendForwarderDeadEvents,
  webhook: ResendWebhookDeadEvents,
};

const names = Object.keys(services) as Service[];

/** What services failed to process. */
export function OperatorDeadEvents() {
  const { operator: t } = useTexts();
  const answer = useGraph(DeadEvents, {});
  const { operator } = answer.data ?? {};
  const ofService = (name: Service) => operator?.[`${name}DeadEvents`];
  const events = operator && names.flatMap((name) => (ofService(name) ?? []).map((event) => ({ name, event })));
  const silent = operator ? names.filter((name) => ofService(name) === null) : [];
  const invalidate = useInvalidate();
  const resend = useMutation({
    mutationFn: ({ name, id }: { name: Service; id: string }) => ask(services[name], { ids: [id] }),
    onSuccess: () => {
      toast(t.resent);
      return invalidate(DeadEvents);
    },
  });
  const rows = (listed: readonly { name: Service; event: DeadEventFragment }[]) =>
    listed.map(({ name, event: { id, topic, diedAt, error, resendAskedAt } }) => ({
      id,
      cells: [
        name,
        topic,
        <TimeSince key="died" at={diedAt} />,
        <code key="error">{error}</code>,
        resendAskedAt === null ? (
          <Button
            key="resend"
            look="quiet"
            onClick={() => resend.mutate({ name, id })}
            aria-label={t.resendWhat(topic)}
          >
            {t.resend}
          </Button>
        ) : (
          <span key="asked" className="hint">
            {t.resendAsked}
          </span>
        ),
      ],
    }));
  return (
    <>
      <Fault error={resend.error} />
      {silent.length > 0 && <Missing what={silent.join(", ")} onRetry={answer.refetch} />}
      <OperatorList answer={answer} list={events} what={t.views.events} none={t.noEvents}>
        {(listed) => <DataTable name={t.views.events} columns={t.eventColumns} rows={rows(listed)} />}
      </OperatorList>
    </>
  );
}
