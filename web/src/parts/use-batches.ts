import { useRef, useState } from "react";

/** How far it is. */
export interface Progress {
  readonly done: number;
  /** Of how many; undefined where nobody knows. */
  readonly total: number | undefined;
}

/** What was done of a batch. */
interface Outcome {
  readonly done: number;
  readonly error?: unknown;
}

/** Does something to one batch after another, until all had their turn, one could not be done at all, or somebody stops it. */
export function useBatches() {
  const [progress, setProgress] = useState<Progress>();
  const isStopped = useRef(false);
  const run = async <Batch>(
    batches: AsyncIterable<Batch> | Iterable<Batch>,
    total: number | undefined,
    work: (batch: Batch) => Promise<Outcome>,
  ): Promise<void> => {
    isStopped.current = false;
    let done = 0;
    setProgress({ done, total });
    try {
      for await (const batch of batches) {
        if (isStopped.current) break;
        const outcome = await work(batch);
        done += outcome.done;
        setProgress({ done, total });
        if (outcome.done === 0 && outcome.error !== undefined) break;
      }
    } finally {
      setProgress(undefined);
    }
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { progress, run, stop };
}
