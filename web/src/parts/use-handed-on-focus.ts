import { type RefObject, useLayoutEffect } from "react";

/** As a part goes that has the focus, gives it to the page's title: a browser would leave it nowhere. The page stays where it was scrolled to. */
export function useHandedOnFocus(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current;
    return () => {
      if (element?.contains(document.activeElement))
        document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    };
  }, [part]);
}
