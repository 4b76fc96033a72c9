interface Outcome {
  readonly state: string;
  readonly nextAttemptAt: string | null;
}

/** The ends of deliveries and webhook calls are not told by the server as they come: they are looked for while one is to come soon. */
export const lookMs = 2_000;
const longestMs = 2_147_483_647;

/** How long until what is under way is looked up again: soon, or once the next attempt is due; never, if nothing waits. */
export function lookAgainMs(outcomes: readonly Outcome[]): number | false {
  const waiting = outcomes.filter(({ state }) => state === "waiting");
  if (waiting.length === 0) return false;
  const times = waiting.map(({ nextAttemptAt }) => (nextAttemptAt === null ? 0 : new Date(nextAttemptAt).getTime()));
  return Math.min(longestMs, Math.max(lookMs, Math.min(...times) - Date.now()));
}
