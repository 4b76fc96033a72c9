import { topics } from "../../proto/topics.ts";
import { authContract } from "../auth/contract.ts";
import { bindingsContract } from "../bindings/contract.ts";
import { mailboxContract } from "../mailbox/contract.ts";
import { accountSwitchConsumers } from "../platform/accounts/disabled-accounts.ts";
import { hourMs } from "../platform/durations.ts";
import { consumer } from "../platform/events/consumer.ts";
import { newId } from "../platform/ids.ts";
import { pruneSettled } from "../platform/jobs/prune.ts";
import { observeQueue } from "../platform/jobs/queue-metrics.ts";
import { retryNow } from "../platform/jobs/retry-now.ts";
import { CallbackUrls } from "../platform/net/callback-urls.ts";
import { rangesOf } from "../platform/net/special-ranges.ts";
import { PollingTask } from "../platform/runtime/polling-task.ts";
import { defineService } from "../platform/service.ts";
import { eventCallJobs, eventCallTable } from "./account-webhook/event-call.ts";
import { eventCallConsumer, eventCallWork } from "./account-webhook/event-call-work.ts";
import { pruneEventCalls } from "./account-webhook/owned-event-calls.ts";
import { removeAccounts, removeLateArrivals } from "./accounts/closed-accounts.ts";
import { BodyReader, bodyBudget } from "./callbacks/body-reader.ts";
import { callbackJobs, callbackTable } from "./callbacks/callback.ts";
import { cancelForBindings } from "./callbacks/cancel.ts";
import { withCurrentUrls } from "./callbacks/current-urls.ts";
import { goneTargetWork } from "./callbacks/gone-targets.ts";
import { callbacksOf, insertCallbacks } from "./callbacks/insert-callbacks.ts";
import { attemptObserver } from "./callbacks/metrics.ts";
import { recordCallbackResults } from "./callbacks/record-results.ts";
import { TestCalls } from "./callbacks/test-call.ts";
import { callWork } from "./calls/call-work.ts";
import type { Send } from "./calls/request.ts";
import { webhookConfig } from "./config.ts";
import { webhookContract } from "./contract.ts";
import { Egress } from "./egress/egress.ts";
import { webhookProcedures } from "./procedures.ts";
import { LocalRecorder } from "./recorders/local-recorder.ts";
import { Recorders } from "./recorders/recorders.ts";
import { pruneCalls } from "./recorders/retention.ts";

/** How long a target may take to respond (Standard Webhooks, "Delivery success and failure"). */
const responseTimeoutMs = 15_000;

/** Sends callbacks for new emails, and keeps the test recorders. */
export const webhook = defineService({
  name: "webhook",
  config: webhookConfig,
  needs: { mailbox: mailboxContract, auth: authContract, bindings: bindingsContract },
  contract: webhookContract,
  migrations: new URL("./migrations/", import.meta.url),
  build({ db, config, settings, rpc, streams, limits, logger, metrics }) {
    const recorders = new Recorders(db, {
      recorders: config.QUOTA_RECORDERS,
      recordedMb: config.QUOTA_RECORDED_MB,
    });
    const localRecorder = new LocalRecorder(recorders, settings.PUBLIC_URL);
    const { CALLBACK_ALLOW_CIDRS: allowedCidrs, DNS_SERVERS: nameServers } = config;
    const publicUrl = settings.PUBLIC_URL;
    const egress = new Egress({ allowedCidrs, nameServers, timeoutMs: responseTimeoutMs });
    const send: Send = (url, headers, body) => {
      const hash = localRecorder.hashOf(url);
      return hash === undefined ? egress.post(url, headers, body) : localRecorder.call(hash, body);
    };
    const callLimits = [config.CALLBACK_CONCURRENCY, config.CALLBACK_PER_HOST, config.CALLBACK_LEASE_S] as const;
    const bodies = new BodyReader({ mailbox: streams.mailbox, budget: bodyBudget(config.CALLBACK_BODIES_MB) });
    const callWorkOptions = {
      db,
      metrics,
      identities: (accountIds: string[]) => rpc.auth.webhookIdentities({ accountIds }),
      send,
      scheduleS: config.CALLBACK_RETRY_S,
      logger,
      onAttempt: attemptObserver(metrics),
    };
    const callbacks = callWork({
      ...callWorkOptions,
      name: "callbacks",
      idAttribute: "postern.email_id",
      table: callbackTable(...callLimits),
      current: (calls) => withCurrentUrls(rpc.bindings, calls),
      bodyOf: bodies.forSchedule(config.CALLBACK_RETRY_S),
      workerId: newId(),
      record: (results) => recordCallbackResults(db, results),
    });
    const eventCalls = eventCallWork({
      ...callWorkOptions,
      table: eventCallTable(...callLimits),
      workerId: newId(),
      serviceName: settings.SERVICE_NAME,
    });
    const wake = () => callbacks.wake();
    const wakeEvents = () => eventCalls.wake();
    const polling = (name: string, intervalMs: number, run: () => Promise<boolean>) =>
      new PollingTask({ name, intervalMs, logger, run });
    observeQueue(metrics, db, {
      prefix: "postern_callback",
      table: "callback",
      one: "callback",
      many: "Callbacks",
      inFlightCount: () => callbacks.inFlightCount,
    });
    observeQueue(metrics, db, {
      prefix: "postern_event_call",
      table: "event_call",
      one: "call of an account's webhook",
      many: "Calls of accounts' webhooks",
      inFlightCount: () => eventCalls.inFlightCount,
    });
    const urls = new CallbackUrls(rangesOf(allowedCidrs), publicUrl);
    const { mailbox } = rpc;
    const procedures = webhookProcedures({ db, mailbox, urls, recorders, egress, wake, wakeEvents });
    return {
      procedures,
      subgraph: async () => {
        const { webhookSubgraph } = await import("./graph/resolvers.ts");
        return webhookSubgraph({
          db,
          procedures,
          recorders,
          testCalls: new TestCalls({ rpc, limits, send, settings }),
          publicUrl,
        });
      },
      consumers: [
        consumer(topics.mailStored, (tx, events) =>
          callbacks.insert(tx, callbacksOf(events), (rows) => insertCallbacks(tx, rows)),
        ),
        eventCallConsumer(eventCalls),
        consumer(topics.bindingRemoved, (tx, events) =>
          cancelForBindings(
            tx,
            events.map(({ message }) => message.bindingId),
          ),
        ),
        ...accountSwitchConsumers(async (tx, accountIds) => {
          for (const jobs of [callbackJobs, eventCallJobs])
            await retryNow(tx, jobs, { where: "owner_id = any ($1::uuid[]) and due_at > now()" }, [accountIds]);
          tx.afterCommit(wake);
          tx.afterCommit(wakeEvents);
        }),
        consumer(topics.accountClosed, (tx, events) =>
          removeAccounts(
            tx,
            events.map(({ message }) => message.accountId),
          ),
        ),
      ],
      tasks: [
        callbacks,
        eventCalls,
        goneTargetWork({ db, bindings: rpc.bindings, logger, metrics }),
        polling("closed-accounts", hourMs / 6, () => removeLateArrivals(db)),
        polling("settled-callbacks", hourMs, () =>
          pruneSettled(db, { name: "callback", key: "email_id" }, config.CALLBACK_KEEP_DAYS),
        ),
        polling("settled-event-calls", hourMs, () => pruneEventCalls(db, config.CALLBACK_KEEP_DAYS)),
        polling("recorded-calls", hourMs, () => pruneCalls(db)),
      ],
    };
  },
});
