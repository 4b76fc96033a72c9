import { useRef } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import type { Progress } from "./use-batches.ts";
import { useHandedOnFocus } from "./use-handed-on-focus.ts";

interface BatchProgressProps {
  progress: Progress;
  onStop(): void;
}

/** How far a change of many is, and its end before that. */
export function BatchProgress({ progress: { done, total, isStopping }, onStop }: BatchProgressProps) {
  const { batches: t } = useTexts();
  const stop = useRef<HTMLButtonElement>(null);
  useHandedOnFocus(stop);
  // Where nobody counted them it moves without end.
  const extent = total === undefined ? {} : { max: total, value: done };
  return (
    <>
      <progress className="batch-progress" aria-label={t.done(done, total)} {...extent} />
      <Button ref={stop} onClick={onStop} isPending={isStopping}>
        {isStopping ? t.stopping : t.stop}
      </Button>
    </>
  );
}
