import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import type { Progress } from "./use-batches.ts";

/** How far a change of many is, and its end before that. */
export function BatchProgress({ progress, onStop }: { progress: Progress | undefined; onStop(): void }) {
  const { batches: t } = useTexts();
  if (progress === undefined) return null;
  const { done, total } = progress;
  return (
    <>
      <progress className="batch-progress" aria-label={t.done(done, total)} max={total} value={done} />
      <Button onClick={onStop}>{t.stop}</Button>
    </>
  );
}
