import type { ReactNode } from "react";

interface ScrollerProps {
  /** What is in it. */
  name: string;
  isShort?: boolean;
  children: ReactNode;
}

/** Scrolls what is too large for the page; takes the focus, so that the keyboard can scroll it as well (WCAG 2.1.1). */
export function Scroller({ name, isShort = false, children }: ScrollerProps) {
  return (
    <section className={isShort ? "scroller scroller-short" : "scroller"} aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}
