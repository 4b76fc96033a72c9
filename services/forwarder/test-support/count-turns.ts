import { setImmediate as nextTurn } from "node:timers/promises";

/** How many turns of the event loop other work has while something is done. */
export async function countTurns<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let [turns, isDone] = [0, false];
  const others = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  try {
    return { result: await work(), turns };
  } finally {
    isDone = true;
    await others;
  }
}
