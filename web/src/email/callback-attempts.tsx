import { useState } from "react";
import { DateTime } from "../parts/date-time.tsx";
import { Scroller } from "../parts/scroller.tsx";
import { ViewTabs } from "../parts/view-tabs.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";

type Attempt = NonNullable<ShownEmail["callback"]>["attempts"][number];

interface CallbackAttemptsProps {
  attempts: readonly Attempt[];
  /** Whether they stand in a list of such, each of which says whose they are: then they are no part of the page of their own. */
  isInList?: boolean;
}

/** Every attempt at a webhook, the last first: what was sent and what came back, all of them or those that failed. */
export function CallbackAttempts({ attempts, isInList = false }: CallbackAttemptsProps) {
  const { email: t } = useTexts();
  const [view, setView] = useState("all");
  const numbered = attempts.map((attempt, place) => ({ ...attempt, place })).reverse();
  const shown = view === "failed" ? numbered.filter(({ failure }) => failure !== null) : numbered;
  if (attempts.length === 0) return null;
  const content = (
    <>
      {attempts.length > 1 && (
        <ViewTabs
          name={t.attempts}
          views={[
            { id: "all", name: t.attemptsAll },
            { id: "failed", name: t.attemptsFailed },
          ]}
          current={view}
          onChange={setView}
        />
      )}
      {shown.map((attempt) => (
        <details key={attempt.place} className="attempt">
          <summary>
            <span className={`state ${attempt.failure === null ? "state-good" : "state-bad"}`}>
              {attempt.status ?? t.noAnswer}
            </span>{" "}
            <DateTime at={attempt.at} isPrecise /> {attempt.durationMs !== null && t.took(attempt.durationMs)}
          </summary>
          {attempt.failure && <p className="hint">{attempt.failure}</p>}
          {attempt.exchange && <Exchange exchange={attempt.exchange} />}
        </details>
      ))}
    </>
  );
  if (isInList) return <div className="attempts">{content}</div>;
  return (
    <section className="attempts" aria-label={t.attempts}>
      {content}
    </section>
  );
}

function Exchange({ exchange }: { exchange: NonNullable<Attempt["exchange"]> }) {
  const { email: t } = useTexts();
  const { requestHeaders, requestBytes, responseHeaders, responseBody } = exchange;
  const written = (fields: readonly { name: string; value: string }[]) =>
    fields.map(({ name, value }) => `${name}: ${value}`).join("\n");
  return (
    <>
      <h3>{t.request(requestBytes)}</h3>
      <Scroller name={t.request(requestBytes)}>
        <pre>{written(requestHeaders)}</pre>
      </Scroller>
      <h3>{t.response}</h3>
      <Scroller name={t.response}>
        <pre>{`${written(responseHeaders)}\n\n${responseBody}`}</pre>
      </Scroller>
    </>
  );
}
