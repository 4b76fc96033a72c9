import type { z } from "zod";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database } from "../../platform/db/types.ts";
import { type BackgroundTask, PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { RefusalReason } from "../contract.ts";

type Reason = z.output<typeof RefusalReason>;

interface Refusals {
  count: number;
  lastAt: Date;
  lastReason: Reason;
}

const countedRefusals = recordSet({ id: "uuid", count: "integer", lastAt: "timestamptz", lastReason: "text" });

const flushIntervalMs = 1_000;

/**
 * Counts refused mail for its owner. A sender can ask for a refused address as often as it likes, so the counts of a second are
 * written together; a crash loses those of the last second.
 */
export class RefusalCounter {
  readonly #db: Database;
  #pending = new Map<string, Refusals>();

  constructor(db: Database) {
    this.#db = db;
  }

  add(bindingId: string, reason: Reason): void {
    this.#merge(bindingId, { count: 1, lastAt: new Date(), lastReason: reason });
  }

  /** Writes what was counted; where that fails it is kept for the next time. */
  async flush(): Promise<void> {
    const flushed = this.#pending;
    if (flushed.size === 0) return;
    this.#pending = new Map();
    try {
      await this.#write(flushed);
    } catch (error) {
      for (const [bindingId, refusals] of flushed) this.#merge(bindingId, refusals);
      throw error;
    }
  }

  task(logger: Logger): BackgroundTask {
    const polling = new PollingTask({
      name: "refusal-counts",
      intervalMs: flushIntervalMs,
      logger,
      run: () => this.flush().then(() => false),
    });
    return {
      name: polling.name,
      start: () => polling.start(),
      stop: async () => {
        await polling.stop();
        await this.flush();
      },
    };
  }

  #merge(bindingId: string, { count, lastAt, lastReason }: Refusals): void {
    const former = this.#pending.get(bindingId);
    const last = former && former.lastAt > lastAt ? former : { lastAt, lastReason };
    this.#pending.set(bindingId, { ...last, count: (former?.count ?? 0) + count });
  }

  /** Rows are locked in the order of their ids, as the received counter does, so that the two cannot deadlock. */
  async #write(refusals: ReadonlyMap<string, Refusals>): Promise<void> {
    const rows = [...refusals].map(([id, counted]) => ({ id, ...counted }));
    await this.#db.query(
      `with refused as materialized (select * from ${countedRefusals.from("given")}),
            locked as (select id from binding where id in (select id from refused) order by id for no key update)
       update binding set refused_emails = refused_emails + refused.count,
              last_refused_at = greatest(last_refused_at, refused.last_at), last_refusal = refused.last_reason
         from refused join locked using (id)
        where binding.id = refused.id`,
      countedRefusals.params(rows),
      { name: "bindings.count_refused" },
    );
  }
}
