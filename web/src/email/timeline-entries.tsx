import { Expander } from "../parts/expander.tsx";
import { Moment } from "../parts/moment.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";

/** The event log: the picture for who does not see it, and the details for all. */
export function TimelineEntries({ timeline }: { timeline: NonNullable<ShownEmail["timeline"]> }) {
  const { email: t } = useTexts();
  const steps = timeline.map((entry, place) => ({ ...entry, place }));
  return (
    <Expander title={t.eventLog}>
      <ol className="steps">
        {steps.map(({ at, kind, target, detail, place }) => (
          <li key={place}>
            <Moment at={at} isPrecise /> <strong>{t.steps[kind] ?? kind.replaceAll("_", " ")}</strong>{" "}
            {target !== null && <span className="address">{target}</span>}
            {detail && <p className="hint">{detail}</p>}
          </li>
        ))}
      </ol>
    </Expander>
  );
}
