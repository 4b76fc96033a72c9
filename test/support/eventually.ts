import { setTimeout as delay } from "node:timers/promises";

interface WaitOptions {
  patienceMs?: number;
  /** How long to rest between two tries: longer where a try costs what it waits for. */
  restMs?: number;
}

/** Tries until it passes, and gives what it gave; when patience is at an end, the last failure is the test's. */
export async function eventually<T>(
  check: () => Promise<T> | T,
  { patienceMs = 120_000, restMs = 20 }: WaitOptions = {},
): Promise<T> {
  for (const until = Date.now() + patienceMs; ; await delay(restMs)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}
