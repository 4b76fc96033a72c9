import type { ReactNode } from "react";
import { sentenceOf } from "../graph/refusal.ts";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";

type Tone = "good" | "bad" | "plain";

/** Something to know, read out by a screen reader when it appears. */
export function Notice({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** What went wrong, if something did. @param onRetry what asks again, where that is not what the person just did */
export function Fault({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { common, errors } = useSignedOutTexts();
  if (error == null) return null;
  return (
    <Notice tone="bad">
      {sentenceOf(error, errors)} {onRetry && <Button onClick={onRetry}>{common.tryAgain}</Button>}
    </Notice>
  );
}

/** What of a page is missing because one service is down. */
export function Missing({ what, onRetry }: { what: string; onRetry?: () => void }) {
  const { common, errors } = useSignedOutTexts();
  return (
    <Notice tone="bad">
      {errors.missing(what)} {onRetry && <Button onClick={onRetry}>{common.tryAgain}</Button>}
    </Notice>
  );
}
