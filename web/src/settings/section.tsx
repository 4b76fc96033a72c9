import { type ReactNode, useEffect, useId, useRef } from "react";
import { useKeptFocus } from "../parts/use-kept-focus.ts";

interface SectionProps {
  title: string;
  lead: ReactNode;
  /** What of the URL leads to it: `/settings#password`. */
  anchor?: string;
  children: ReactNode;
}

/** A part of the settings under its own heading. */
export function Section({ title, lead, anchor, children }: SectionProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useKeptFocus(section, heading);
  useEffect(() => {
    if (anchor !== undefined && location.hash === `#${anchor}`) heading.current?.scrollIntoView();
  }, [anchor]);
  return (
    <section className="card section" aria-labelledby={id} ref={section}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p className="hint">{lead}</p>
      {children}
    </section>
  );
}
