import { EventEmitter } from "node:events";

/** Outboxes of this process that grew, by schema. */
const growth = new EventEmitter().setMaxListeners(0);

/** Says that a committed transaction of this process left events in the outbox of a schema. */
export function outboxGrew(schema: string): void {
  growth.emit(`outbox ${schema}`);
}

/** Calls `wake` whenever outboxGrew names the schema; returns the function that ends it. */
export function onOutboxGrowth(schema: string, wake: () => void): () => void {
  growth.on(`outbox ${schema}`, wake);
  return () => growth.off(`outbox ${schema}`, wake);
}

/** Where processes that share a schema tell each other: 'outbox' when it grew, 'dead' when a resend is asked for. */
export function eventsChannel(schema: string): string {
  return `${schema}.events`;
}

/** Wakes one waiter; a ring that comes while nobody waits ends the next wait at once. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Returns after a ring, the time, or the signal, whichever is first. */
  async wait(longestMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung && !signal.aborted) {
      const woken = Promise.withResolvers<void>();
      const timer = setTimeout(woken.resolve, longestMs);
      this.#wake = woken.resolve;
      signal.addEventListener("abort", this.#wake);
      await woken.promise;
      clearTimeout(timer);
      signal.removeEventListener("abort", this.#wake);
      this.#wake = undefined;
    }
    this.#isRung = false;
  }
}
