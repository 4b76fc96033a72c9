import { type ReactNode, useEffect, useRef, useState } from "react";

interface ScrollerProps {
  /** What is in it. */
  name: string;
  isShort?: boolean;
  children: ReactNode;
}

/**
 * Scrolls what is too large for the page; then it takes the focus, so that the keyboard can scroll it as well (WCAG 2.1.1). What fits is no
 * stop for the keyboard.
 */
export function Scroller({ name, isShort = false, children }: ScrollerProps) {
  const part = useRef<HTMLElement>(null);
  const [isTooLarge, setIsTooLarge] = useState(false);
  // After each render, for what is in it may be another element by then.
  useEffect(() => {
    const { current: section } = part;
    if (!section) return;
    const observer = new ResizeObserver(() =>
      setIsTooLarge(section.scrollWidth > section.clientWidth || section.scrollHeight > section.clientHeight),
    );
    for (const each of [section, ...section.children]) observer.observe(each);
    return () => observer.disconnect();
  });
  return (
    <section
      ref={part}
      className={isShort ? "scroller scroller-short" : "scroller"}
      aria-label={name}
      tabIndex={isTooLarge ? 0 : undefined}
    >
      {children}
    </section>
  );
}
