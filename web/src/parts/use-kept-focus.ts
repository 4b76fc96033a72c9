import { type RefObject, useEffect } from "react";

/** What last had the focus, and where it stood, if in a list. */
interface Place {
  element: Element;
  list: Element | null;
  index: number;
}

/**
 * Keeps the focus within a part of a page. A browser gives it to the whole page when what had it is gone, as after removing a
 * row: then it goes to the row that has its place now, or to `fallback`, which is the page's title if there is none.
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>, fallback?: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Place | undefined;
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      if (part.current?.contains(target)) last = placeOf(target);
      // A dialog gives it back; it is elsewhere if it goes anywhere else.
      else if (!target.closest("[role$=dialog]")) last = undefined;
    };
    const mend = () => {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return;
      const control = inItsPlace(last);
      if (control) control.focus();
      // The page stays where it is.
      else (fallback ? fallback.current : document.querySelector("h1"))?.focus({ preventScroll: true });
    };
    document.addEventListener("focusin", note);
    const observer = new MutationObserver(mend);
    if (part.current) observer.observe(part.current, { childList: true, subtree: true });
    // A dialog, which stands beside the page, goes once what opened it is gone.
    observer.observe(document.body, { childList: true });
    return () => {
      document.removeEventListener("focusin", note);
      observer.disconnect();
    };
  }, [part, fallback]);
}

function placeOf(element: Element): Place {
  const item = element.closest("li");
  const list = item?.parentElement ?? null;
  return { element, list, index: item && list ? [...list.children].indexOf(item) : -1 };
}

/** The first control of the row that has the place now, or of the last one. */
function inItsPlace({ list, index }: Place): HTMLElement | null {
  const item = list?.isConnected && (list.children[index] ?? list.lastElementChild);
  return item ? item.querySelector<HTMLElement>("button:enabled, input:enabled, a[href]") : null;
}
