import { useSyncExternalStore } from "react";

const key = "postern-notices";
const listeners = new Set<() => void>();

/** Whether they were asked for in this browser, and it still allows them. */
function areNoticesOn(): boolean {
  return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(key) === "on";
}

function set(isOn: boolean): void {
  if (isOn) localStorage.setItem(key, "on");
  else localStorage.removeItem(key);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useNoticesOn(): boolean {
  return useSyncExternalStore(subscribe, areNoticesOn);
}

export function turnNoticesOff(): void {
  set(false);
}

/**
 * Asks the browser, which asks the person; so it is called for a click alone. The first notice says that there will be more.
 * @returns why there will be none: it is refused, or the browser shows none for pages (on phones they take a service worker)
 */
export async function turnNoticesOn(first: { title: string; body: string }): Promise<"refused" | "unable" | undefined> {
  if (!("Notification" in window)) return "unable";
  if ((await Notification.requestPermission()) !== "granted") return "refused";
  if (!show("on", first.title, first.body)) return "unable";
  set(true);
  return undefined;
}

/** @param tag of several pages that show the same, one is seen. @returns undefined where the browser shows none for pages */
export function show(tag: string, title: string, body: string): Notification | undefined {
  try {
    return new Notification(title, { body, tag, icon: "/icon-192.png" });
  } catch {
    return undefined;
  }
}
