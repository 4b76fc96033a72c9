import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

interface WindowOptions {
  count: number;
  /** How high a row is, or about: rows that measure themselves may be of any height. */
  rowPx: number;
  /** Reads on, where there is more. */
  onNearEnd(): void;
}

/** The rows in view, and how much room those before and after them take. */
export interface Window {
  ref: RefObject<HTMLDivElement | null>;
  items: readonly { index: number }[];
  before: number;
  after: number;
  measure(element: Element | null): void;
}

const overscan = 8;

/** Rows of a long list that are in view as the page scrolls. */
export function useWindow({ count, rowPx, onNearEnd }: WindowOptions): Window {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const now = ref.current ? ref.current.getBoundingClientRect().top + window.scrollY : 0;
    setTop(now);
  }, []);
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => rowPx, overscan, scrollMargin: top });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1);
  const isNearEnd = count > 0 && last !== undefined && last.index >= count - overscan;
  const latest = useRef(onNearEnd);
  latest.current = onNearEnd;
  // `count` is among them: a page that was read may leave the end near still.
  useEffect(() => {
    if (isNearEnd && count > 0) latest.current();
  }, [isNearEnd, count]);
  return {
    ref,
    items,
    before: (items[0]?.start ?? top) - top,
    after: virtualizer.getTotalSize() - ((last?.end ?? top) - top),
    measure: virtualizer.measureElement,
  };
}
