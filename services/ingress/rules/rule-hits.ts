import type { bindingsContract } from "../../bindings/contract.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { type BackgroundTask, PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

interface Hits {
  readonly ownerId: string;
  readonly ruleId: string;
  count: number;
  lastAt: Date;
}

const flushIntervalMs = 1_000;
/** Of one call. */
const batchSize = 1_000;
/** Waiting while bindings is out of reach; of rules beyond these nothing is counted. */
const pendingLimit = 10_000;

/**
 * Counts the messages that rules refuse, of which no event tells. A sender can ask for a refused address as often as it likes, so the
 * counts of a second are written together; a crash loses those of the last second.
 */
export class RuleHits {
  readonly #bindings: Pick<Client<typeof bindingsContract>, "countRuleHits">;
  #pending = new Map<string, Hits>();

  constructor(bindings: Pick<Client<typeof bindingsContract>, "countRuleHits">) {
    this.#bindings = bindings;
  }

  add(ownerId: string, ruleId: string): void {
    this.#merge({ ownerId, ruleId, count: 1, lastAt: new Date() });
  }

  /** Writes what was counted; where that fails it is kept for the next time. */
  async flush(): Promise<void> {
    const hits = [...this.#pending.values()];
    this.#pending = new Map();
    for (let at = 0; at < hits.length; at += batchSize) {
      try {
        const batch = hits.slice(at, at + batchSize).map((each) => ({ ...each, lastAt: each.lastAt.toISOString() }));
        await this.#bindings.countRuleHits({ hits: batch });
      } catch (error) {
        for (const each of hits.slice(at)) this.#merge(each);
        throw error;
      }
    }
  }

  task(logger: Logger): BackgroundTask {
    const polling = new PollingTask({
      name: "rule-hits",
      intervalMs: flushIntervalMs,
      logger,
      run: () => this.flush().then(() => false),
    });
    return {
      name: polling.name,
      start: () => polling.start(),
      stop: async () => {
        await polling.stop();
        try {
          await this.flush();
        } catch (error) {
          logger.warn({ task: polling.name, err: error }, `the last hits of rules are lost: ${messageOf(error)}`);
        }
      },
    };
  }

  #merge(hits: Hits): void {
    const key = `${hits.ownerId} ${hits.ruleId}`;
    const known = this.#pending.get(key);
    if (!known && this.#pending.size >= pendingLimit) return;
    const lastAt = known && known.lastAt > hits.lastAt ? known.lastAt : hits.lastAt;
    this.#pending.set(key, { ...hits, lastAt, count: hits.count + (known?.count ?? 0) });
  }
}
