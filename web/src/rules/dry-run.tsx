import { useState } from "react";
import { subjectOf, whoOf } from "../email/summary.ts";
import { type RuleConditionsInput, RuleDryRun } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";

interface Tried {
  readonly bindingId: string | null;
  readonly domainId: string | null;
  readonly conditions: RuleConditionsInput;
}

/** What a rule as it is being written would have decided about. @param read what is tried, once the button is pressed */
export function DryRun({ read }: { read(): Tried }) {
  const { rules: t } = useTexts();
  const [tried, setTried] = useState<Tried>();
  return (
    <div className="stack">
      <div>
        <Button onClick={() => setTried(read())}>{t.dryRun}</Button>
      </div>
      {tried && <Findings input={tried} />}
    </div>
  );
}

function Findings({ input }: { input: Tried }) {
  const { rules: t, inbox } = useTexts();
  const { data, error, refetch } = useGraph(RuleDryRun, { input });
  const run = data?.ruleDryRun;
  if (error) return <Fault error={error} onRetry={refetch} />;
  if (!run) return <Loading what={t.dryRunning} />;
  const { emailsChecked, matched, undecided, isComplete, emails } = run;
  return (
    <section role="status" className="stack">
      <p>{t.dryRunFound(matched, emailsChecked)}</p>
      {undecided > 0 && <p className="hint">{t.dryRunUndecided(undecided)}</p>}
      {!isComplete && <p className="hint">{t.dryRunIncomplete}</p>}
      {emails.length > 0 && (
        <ul aria-label={t.dryRunNewest}>
          {emails.map((email) => (
            <li key={email.id}>
              <bdi className="author">{whoOf(email, inbox)}</bdi> <bdi>{subjectOf(email, inbox)}</bdi>{" "}
              <DateTime at={email.receivedAt} isBrief />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
