import type { ReactNode } from "react";
import { sentenceOf } from "../graph/refusal.ts";

type Tone = "good" | "bad" | "plain";

/** Something to know, read out by a screen reader when it appears. */
export function Notice({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** What went wrong, if something did. */
export function Fault({ error }: { error: unknown }) {
  return error == null ? null : <Notice tone="bad">{sentenceOf(error)}</Notice>;
}

/** What of a page is missing because one service is down. */
export function Missing({ what }: { what: string }) {
  return <Notice tone="bad">{what} cannot be shown at the moment. Everything else here can.</Notice>;
}
