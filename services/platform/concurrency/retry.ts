import { setTimeout as delay } from "node:timers/promises";
import { isStatementTimeout, isTransient } from "../db/errors.ts";
import { Outage } from "../errors.ts";

interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** How long to wait after the given number of failures (1, 2 …): doubling, and spread so that waiters do not move in step. */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20)) * (0.75 + Math.random() / 4);
}

/** Waits. @throws the signal's reason as soon as it is aborted. */
export async function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  await delay(durationMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Whether the failure says nothing about what was tried: a dependency is down, or two transactions were in each other's way. */
export function isTransientFailure(error: unknown): boolean {
  return error instanceof Outage || isTransient(error);
}

/**
 * The same of what a consumer does with an event. A statement that took too long counts against the event: waited out for
 * ever, one that always does would hold up all that come after it.
 */
export function isTransientForEvent(error: unknown): boolean {
  return isTransientFailure(error) && !isStatementTimeout(error);
}

interface Persistence {
  readonly signal: AbortSignal;
  readonly backoff: Backoff;
  /** Told of the first failure in a row only, so that an outage is a line in the log and not a flood. */
  onOutage(error: unknown): void;
  onRecovery(): void;
  /** Which failures are waited out; isTransientFailure unless said otherwise. */
  isOutage?(error: unknown): boolean;
}

/**
 * Runs something as often as it takes to get through an outage.
 * @throws any other failure as it is, and the signal's reason once that is aborted.
 */
export async function throughOutages<T>(run: () => Promise<T>, persistence: Persistence): Promise<T> {
  const { signal, backoff, isOutage = isTransientFailure } = persistence;
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    try {
      const result = await run();
      if (failures > 0) persistence.onRecovery();
      return result;
    } catch (error) {
      if (!isOutage(error)) throw error;
      failures += 1;
      if (failures === 1) persistence.onOutage(error);
      await sleep(backoffMs(failures, backoff), signal);
    }
  }
}
