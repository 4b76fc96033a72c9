import { PollingTask } from "../runtime/polling-task.ts";
import type { ConsumerGroup } from "./consumer-group.ts";
import type { ServiceEventsSettings } from "./types.ts";

const intervalMs = 10_000;

/** Says now and then how long the outbox's oldest event has waited, and how many events are dead. */
export function eventMetricsTask(
  { name, db, logger, metrics }: ServiceEventsSettings,
  groups: readonly ConsumerGroup[],
): PollingTask {
  const age = metrics.gauge(
    "postern_outbox_age_seconds",
    "How long the oldest event has waited that is neither sent to Kafka nor has taken effect in the process that published it",
    ["service"],
  );
  const dead = metrics.gauge("postern_dead_events", "Events that wait to be sent again by an operator", ["consumer"]);
  const seen = new Set(groups.map((group) => group.name));
  return new PollingTask({
    name: "event-metrics",
    intervalMs,
    logger,
    async run() {
      const { rows: oldest } = await db.query<{ ageS: number }>(
        `select greatest(0, extract(epoch from now() - occurred_at))::float8 as age_s from outbox order by id limit 1`,
      );
      age.set({ service: name }, oldest[0]?.ageS ?? 0);
      const { rows: counts } = await db.query<{ consumer: string; count: number }>(
        "select consumer_group as consumer, count(*) from dead_event group by consumer_group",
      );
      for (const { consumer } of counts) seen.add(consumer);
      for (const consumer of seen) dead.set({ consumer }, 0);
      for (const { consumer, count } of counts) dead.set({ consumer }, count);
      return false;
    },
  });
}
