import { useCallback, useEffect, useRef, useState } from "react";

/** How far it is. */
export interface Progress {
  readonly done: number;
  /** Absent where nobody counted them. */
  readonly total: number | undefined;
  /** It ends with the batch that is under way. */
  readonly isStopping: boolean;
}

export type Batches<Batch> = Iterable<Batch> | AsyncIterable<Batch>;

/** Does something to one batch after another, until all had their turn, nothing of one could be done, or somebody stops it or leaves. */
export function useBatches() {
  const [progress, setProgress] = useState<Progress>();
  const isStopped = useRef(false);
  const stop = useCallback(() => {
    isStopped.current = true;
    setProgress((current) => current && { ...current, isStopping: true });
  }, []);
  useEffect(() => stop, [stop]);
  /** @returns whether it was stopped before all had their turn */
  const run = async <Batch>(
    batches: Batches<Batch>,
    total: number | undefined,
    /** @returns how many were done */
    work: (batch: Batch) => Promise<number>,
  ): Promise<boolean> => {
    isStopped.current = false;
    let done = 0;
    setProgress({ done, total, isStopping: false });
    try {
      for await (const batch of batches) {
        // It may have been stopped while the batch was read, or while work was done to it: then no other one is read.
        if (isStopped.current) return true;
        const count = await work(batch);
        done += count;
        setProgress({ done, total, isStopping: isStopped.current });
        if (count === 0) return false;
        if (isStopped.current) return true;
      }
      return false;
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, run, stop };
}
