import { Expander } from "../parts/expander.tsx";
import { Moment } from "../parts/moment.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { wordsOf } from "./timeline-kinds.ts";

/** Every step in words: the picture for who does not see it, and the details for all. */
export function TimelineEntries({ timeline }: { timeline: NonNullable<ShownEmail["timeline"]> }) {
  const steps = timeline.map((entry, place) => ({ ...entry, place }));
  return (
    <Expander title="Every step in words">
      <ol className="steps">
        {steps.map(({ at, kind, target, detail, place }) => (
          <li key={place}>
            <Moment at={at} isPrecise /> <strong>{wordsOf(kind).said}</strong>{" "}
            {target !== null && <span className="address">{target}</span>}
            {detail && <p className="hint">{detail}</p>}
          </li>
        ))}
      </ol>
    </Expander>
  );
}
