import { type ReactNode, useId } from "react";

/** A part of the settings under its own heading. */
export function Section({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="hint">{lead}</p>
      {children}
    </section>
  );
}
