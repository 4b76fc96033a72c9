/** Begins each task as soon as fewer than so many run, in their order. @returns what they gave, in that order */
export async function inTurn<T>(tasks: readonly (() => Promise<T>)[], atOnce: number): Promise<T[]> {
  const results: T[] = [];
  const left = tasks.entries();
  const lane = async (): Promise<void> => {
    for (const [index, task] of left) results[index] = await task();
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
