import { Button } from "../parts/button.tsx";
import { TimeUntil } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";
import { stateLooks } from "./state-looks.ts";

interface DeliveryStateProps {
  /** "Forward" or "Webhook" */
  what: string;
  target: string;
  state: string;
  nextAttemptAt: string | null;
  attempts: readonly { at: string; said: string | null }[];
  /** It is just being tried again. */
  isPending: boolean;
  onRetry(): void;
}

/** One place that a mail goes to: how far it is, what was answered, and a way to try again at once. */
export function DeliveryState(props: DeliveryStateProps) {
  const { email: t } = useTexts();
  const { what, target, state, nextAttemptAt, attempts, isPending, onRetry } = props;
  const last = attempts.at(-1);
  const isRetrying = state === "waiting" && attempts.length > 0 && nextAttemptAt !== null;
  const isRetryable = state === "given_up" || state === "bounced" || (state === "waiting" && attempts.length > 0);
  return (
    <li className="outcome">
      <div>
        <span className="label">{what}</span> <span className="address">{target}</span>
        <p>
          <span className={`state ${stateLooks[state] ?? ""}`}>
            {isRetrying ? t.retrying(<TimeUntil at={nextAttemptAt} />) : (t.states[state] ?? state)}
          </span>
          {attempts.length > 1 && t.afterAttempts(attempts.length)}
        </p>
        {last?.said && <p className="hint">{last.said}</p>}
      </div>
      {isRetryable && (
        <Button onClick={onRetry} isPending={isPending} aria-label={t.tryNowWhat(target)}>
          {t.tryNow}
        </Button>
      )}
    </li>
  );
}
