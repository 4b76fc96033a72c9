import { isTransientForEvent } from "../concurrency/retry.ts";
import type { Database } from "../db/types.ts";
import { PollingTask } from "../runtime/polling-task.ts";
import type { ConsumerGroup } from "./consumer-group.ts";
import { describeError } from "./dead-events.ts";
import type { EncodedEvent, ServiceEventsSettings } from "./types.ts";

/** Gives dead events that somebody asked for to their consumers again, one at a time; see dead-events.ts. */
export function deadEventResendTask(
  { db, logger }: ServiceEventsSettings,
  groups: readonly ConsumerGroup[],
): PollingTask {
  const byName = new Map(groups.map((group) => [group.name, group]));
  return new PollingTask({
    name: "dead-event-resending",
    intervalMs: 5_000,
    logger,
    async run() {
      const { rows } = await db.query<{ id: string }>(
        // Jobs are parked among the dead events; their worker takes them up.
        `select id from dead_event where resend_asked_at is not null and topic <> 'job' order by resend_asked_at, id limit 1`,
      );
      const [next] = rows;
      if (!next) return false;
      try {
        await revive(db, next.id, byName);
      } catch (error) {
        // In an outage the event stays asked for, and the work slows down.
        if (isTransientForEvent(error)) throw error;
        logger.error({ err: error, deadId: next.id }, "resent dead event failed again");
        await db.query("update dead_event set error = $2, died_at = now(), resend_asked_at = null where id = $1", [
          next.id,
          describeError(error),
        ]);
      }
      return true;
    },
  });
}

/** The effects, and the dead event gone, in one transaction. A replica that comes second waits, and finds it gone. */
async function revive(db: Database, deadId: string, groups: ReadonlyMap<string, ConsumerGroup>): Promise<void> {
  await db.tx(async (tx) => {
    const { rows } = await tx.query<EncodedEvent & { consumer: string }>(
      `delete from dead_event where id = $1 and resend_asked_at is not null
       returning consumer_group as consumer, event_id as id, topic, key, payload, headers, occurred_at`,
      [deadId],
    );
    const [dead] = rows;
    if (!dead) return;
    const group = groups.get(dead.consumer);
    if (!group) throw new Error(`There is no consumer ${dead.consumer} here any more`);
    await group.revive(tx, dead);
  });
}
