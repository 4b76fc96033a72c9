import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef } from "react";

interface VirtualRowsOptions<Item> {
  items: readonly Item[];
  keyOf(item: Item): string;
  /** How high a row is, or about: rows that measure themselves may be of any height. */
  rowPx: number;
  /** Reads on, where there is more. */
  onNearEnd(): void;
}

/** The rows in view, and how much room those before and after them take. */
export interface VirtualRows<Item> {
  /** Of what has the rows, and the room. */
  ref(element: Element | null): void;
  rows: readonly { readonly index: number; readonly item: Item }[];
  before: number;
  after: number;
  /** A row of a height of its own: its `ref`, beside `data-index`. */
  measure(element: Element | null): void;
}

/** So many rows around those in view are made, and so many before the end it is read on. */
const overscan = 8;

/** Rows of a long list that are in view as the page scrolls: however much is loaded, no others are in the page. */
export function useVirtualRows<Item>({ items, keyOf, rowPx, onNearEnd }: VirtualRowsOptions<Item>): VirtualRows<Item> {
  const holder = useRef<Element>(null);
  const ref = useCallback((element: Element | null) => {
    holder.current = element;
  }, []);
  const count = items.length;
  const top = holder.current ? holder.current.getBoundingClientRect().top + window.scrollY : 0;
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowPx,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan,
    scrollMargin: top,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1);
  const isNearEnd = last !== undefined && last.index >= count - overscan;
  const latest = useRef(onNearEnd);
  latest.current = onNearEnd;
  // `count` is among them: a page that was read may leave the end near still.
  useEffect(() => {
    if (isNearEnd && count > 0) latest.current();
  }, [isNearEnd, count]);
  return {
    ref,
    rows: shown.flatMap(({ index }) => {
      const item = items[index];
      return item === undefined ? [] : [{ index, item }];
    }),
    before: Math.max(0, (shown[0]?.start ?? top) - top),
    after: Math.max(0, virtualizer.getTotalSize() - ((last?.end ?? top) - top)),
    measure: virtualizer.measureElement,
  };
}
