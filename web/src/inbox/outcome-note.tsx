import { TimeUntil } from "../parts/date-time.tsx";
import type { Texts } from "../texts/english/index.ts";
import { useTexts } from "../texts/texts.tsx";
import type { ListedEmail } from "./use-mail.ts";

/** Why some of an email failed or is delayed, in words. */
export function reasonsOf({ outcomes }: Pick<ListedEmail, "outcomes">, t: Texts["inbox"]): string {
  return outcomes.failureReasons.map((reason) => t.reasons[reason.toLowerCase()] ?? "").join(", ");
}

/** How far an email is that is not where it should be: what failed first, then what is yet to come. Nothing where all went well. */
export function OutcomeNote({
  email: { outcomes, isProcessed },
}: {
  email: Pick<ListedEmail, "outcomes" | "isProcessed">;
}) {
  const { inbox: t } = useTexts();
  const { expected, failed, retrying, held, nextAttemptAt } = outcomes;
  const why = reasonsOf({ outcomes }, t);
  const isOver = nextAttemptAt !== null && new Date(nextAttemptAt) < new Date();
  return (
    <>
      {failed > 0 && (
        <span className="state state-bad" title={why}>
          {expected > 1 ? t.failedOf(failed, expected) : t.failed}
        </span>
      )}
      {retrying > 0 && (
        <span className="state state-waiting" title={why}>
          {nextAttemptAt === null || isOver ? t.retryingNow : t.retrying(<TimeUntil at={nextAttemptAt} />)}
        </span>
      )}
      {held > 0 && <span className="state state-waiting">{t.held}</span>}
      {failed + retrying + held === 0 && !isProcessed && <span className="state state-waiting">{t.onItsWay}</span>}
    </>
  );
}
