import { DateTime } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { toneOf } from "./timeline-tones.ts";

/** The delivery log from top to bottom, a line for each step, the answer of the other side to open. */
export function DeliverySteps({ timeline }: { timeline: NonNullable<ShownEmail["timeline"]> }) {
  const { email: t } = useTexts();
  const steps = timeline.map((entry, place) => ({ ...entry, place }));
  return (
    <ol className="log" aria-label={t.timeline}>
      {steps.map(({ at, kind, target, detail, place }) => (
        <li key={place} className={`log-step log-${toneOf(kind)}`}>
          <span className="log-name">{t.steps[kind] ?? kind.replaceAll("_", " ")}</span>{" "}
          {target !== null && <bdi className="address">{target}</bdi>} <DateTime at={at} isPrecise />
          {detail && (
            <details>
              <summary>{t.details}</summary>
              <p className="hint">{detail}</p>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
