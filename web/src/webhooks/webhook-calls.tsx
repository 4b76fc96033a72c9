import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "wouter";
import { AddressChoice } from "../addresses/address-choice.tsx";
import { CallbackAttempts } from "../email/callback-attempts.tsx";
import { useHere } from "../email/came-from.ts";
import { lookAgainMs } from "../email/look-again.ts";
import { stateLooks } from "../email/state-looks.ts";
import { recipientOf, subjectOf } from "../email/summary.ts";
import {
  AccountWebhook,
  RetryWebhookCalls,
  type WebhookCallState,
  WebhookCalls,
  type WebhookCallsQuery,
} from "../graph/gen/operations.ts";
import { useChange, useConnection, useInvalidate } from "../graph/use-graph.ts";
import { useArrivals } from "../live/live.tsx";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { DateTime, TimeUntil } from "../parts/date-time.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { readableBody } from "../parts/readable-body.ts";
import { Scroller } from "../parts/scroller.tsx";
import { toast } from "../parts/toasts.tsx";
import { useTexts } from "../texts/texts.tsx";

type Call = NonNullable<NonNullable<WebhookCallsQuery["accountWebhook"]>["calls"]>["nodes"][number];

const failed: WebhookCallState[] = ["GIVEN_UP", "CANCELLED"];
/** What can be chosen, and the states that it stands for. */
const views: Readonly<Record<string, WebhookCallState[]>> = {
  any: [],
  waiting: ["WAITING"],
  failed,
  delivered: ["DELIVERED"],
};

/** What the webhook was told, and is to be told, newest first, as far as the URL narrows it down. */
export function WebhookCallList() {
  const { webhooks: t } = useTexts();
  const [params, setParams] = useSearchParams();
  const view = Object.hasOwn(views, params.get("view") ?? "") ? (params.get("view") ?? "any") : "any";
  const address = params.get("address") ?? "";
  const isNarrowed = view !== "any" || address !== "";
  const narrow = (change: { view?: string; address?: string }) => {
    const said = Object.entries({ view, address, ...change }).filter(([, value]) => value !== "" && value !== "any");
    setParams(Object.fromEntries(said), { replace: true });
  };
  const bindingId = address === "" ? null : address;
  const wanted = { states: views[view] ?? [], bindingId };
  const list = useConnection(WebhookCalls, wanted, ({ accountWebhook }) => accountWebhook?.calls, lookAgainMs);
  useArrivals(() => void list.refetch());
  const failedCount = list.data?.pages[0]?.data.accountWebhook?.failedCallCount ?? 0;
  useSwitchedOff(failedCount);
  const retry = useChange(RetryWebhookCalls, [WebhookCalls], ({ retryWebhookCalls }) =>
    toast(t.sentAgain(retryWebhookCalls?.count ?? 0)),
  );
  return (
    <section className="stack" aria-label={t.calls}>
      <h2>{t.calls}</h2>
      <div className="filters">
        <Choice label={t.ofState} options={t.views} value={view} onChange={(next) => narrow({ view: next })} />
        <AddressChoice value={address} onChange={(next) => narrow({ address: next })} />
      </div>
      <Fault error={list.error ?? retry.error} onRetry={list.refetch} />
      {list.isMissing && <Missing what={t.calls} onRetry={list.refetch} />}
      {list.isSuccess && !list.isMissing && list.nodes.length === 0 && (
        <p className="empty">{isNarrowed ? t.noneSuch : t.noCalls}</p>
      )}
      {failedCount > 0 && (view === "any" || view === "failed") && (
        <div>
          <Button
            onClick={() => retry.mutate({ states: failed, bindingId })}
            isPending={retry.isPending || list.isPlaceholderData}
          >
            {t.retryAll(failedCount)}
          </Button>
        </div>
      )}
      <ul className="calls" aria-label={t.calls}>
        {list.nodes.map((call) => (
          <CallRow key={call.id} call={call} onRetry={() => retry.mutate({ ids: [call.id] })} />
        ))}
      </ul>
      <MoreButton list={list} />
    </section>
  );
}

/** By a call that fails the webhook may have been switched off. */
function useSwitchedOff(failedCount: number): void {
  const invalidate = useInvalidate();
  const known = useRef(failedCount);
  useEffect(() => {
    if (failedCount > known.current) void invalidate(AccountWebhook);
    known.current = failedCount;
  });
}

function CallRow({ call, onRetry }: { call: Call; onRetry(): void }) {
  const { webhooks: t, email } = useTexts();
  const { id, kind, at, state, nextAttemptAt, attempts, body } = call;
  const name = t.kinds[kind] ?? kind;
  return (
    <li className="card call">
      <p>
        <span className={`state ${stateLooks[state] ?? ""}`}>
          {attempts.length > 0 && nextAttemptAt !== null
            ? email.retrying(<TimeUntil at={nextAttemptAt} />)
            : (email.states[state] ?? state)}
        </span>{" "}
        {name} <DateTime at={at} isPrecise />
      </p>
      <Subject call={call} />
      <p className="hint address">{id}</p>
      <CallbackAttempts attempts={attempts} isInList />
      <details className="attempt">
        <summary>{t.body}</summary>
        <Scroller name={t.body}>
          <pre>{readableBody(body)}</pre>
        </Scroller>
      </details>
      <Button look="quiet" onClick={onRetry} aria-label={t.retryWhat(name)}>
        {t.retry}
      </Button>
    </li>
  );
}

/** The address that it is about, and the email, which may be gone since. */
function Subject({ call: { address, email } }: { call: Call }) {
  const { inbox } = useTexts();
  const here = useHere();
  if (!email) return address && <p className="address">{address}</p>;
  return (
    <p>
      <Link href={`/emails/${email.id}`} state={here}>
        <bdi dir="auto">{subjectOf(email, inbox)}</bdi>
      </Link>{" "}
      <bdi className="address">{recipientOf(email)}</bdi>
    </p>
  );
}
