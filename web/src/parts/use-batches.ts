import { useCallback, useEffect, useRef, useState } from "react";

/** How far it is. */
export interface Progress {
  readonly done: number;
  /** Absent where nobody counted them. */
  readonly total: number | undefined;
}

/** Does something to one batch after another, until all had their turn, nothing of one could be done, or somebody stops it or leaves. */
export function useBatches() {
  const [progress, setProgress] = useState<Progress>();
  const isStopped = useRef(false);
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  useEffect(() => stop, [stop]);
  const run = async <Batch>(
    batches: AsyncIterable<Batch> | Iterable<Batch>,
    total: number | undefined,
    /** @returns how many were done */
    work: (batch: Batch) => Promise<number>,
  ): Promise<void> => {
    isStopped.current = false;
    let done = 0;
    setProgress({ done, total });
    try {
      for await (const batch of batches) {
        if (isStopped.current) break;
        const count = await work(batch);
        done += count;
        setProgress({ done, total });
        if (count === 0) break;
      }
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, run, stop };
}
