import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "good" | "bad";
}

const shownMs = 6_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  set(toasts.filter((each) => each.id !== id));
}

/** Says for a moment that something was done, or failed, wherever one is by then. */
export function toast(text: string, tone: Toast["tone"] = "good"): void {
  lastId += 1;
  const id = lastId;
  set([...toasts.slice(-2), { id, text, tone }]);
  setTimeout(() => dismiss(id), shownMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was done lately, read out politely. */
export function Toasts() {
  const { common } = useTexts();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, tone }) => (
        <div key={id} className={`toast toast-${tone}`}>
          {tone === "good" ? (
            <CircleCheck className="icon" aria-hidden="true" />
          ) : (
            <CircleAlert className="icon" aria-hidden="true" />
          )}
          <span>{text}</span>
          <Button look="icon" aria-label={common.dismiss} onClick={() => dismiss(id)}>
            <X className="icon" aria-hidden="true" />
          </Button>
        </div>
      ))}
    </div>
  );
}
