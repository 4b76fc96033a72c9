import { type ReactNode, useId, useRef } from "react";
import { useKeptFocus } from "../parts/use-kept-focus.ts";

/** A part of the settings under its own heading. */
export function Section({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useKeptFocus(section, heading);
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
