import { Button } from "../parts/button.tsx";
import { Moment } from "../parts/moment.tsx";

interface DeliveryStateProps {
  what: "Forward" | "Callback";
  target: string;
  state: string;
  nextAttemptAt: string | null;
  attempts: readonly { at: string; said: string | null }[];
  isRetrying: boolean;
  onRetry(): void;
}

const words: Readonly<Record<string, { said: string; look: string }>> = {
  waiting: { said: "Waiting to be tried", look: "state-waiting" },
  delivered: { said: "Delivered", look: "state-good" },
  bounced: { said: "Came back", look: "state-bad" },
  given_up: { said: "Given up", look: "state-bad" },
  cancelled: { said: "Called off", look: "" },
};

/** One place that a mail goes to: how far it is, what was answered, and a way to try again at once. */
export function DeliveryState(props: DeliveryStateProps) {
  const { what, target, state, nextAttemptAt, attempts, isRetrying, onRetry } = props;
  const { said, look } = words[state] ?? { said: state, look: "" };
  const last = attempts.at(-1);
  const isRetryable = state === "given_up" || state === "bounced" || (state === "waiting" && attempts.length > 0);
  return (
    <li className="outcome">
      <div>
        <span className="label">{what}</span> <span className="address">{target}</span>
        <p>
          <span className={`state ${look}`}>{said}</span>
          {attempts.length > 1 && ` after ${attempts.length} attempts`}
          {nextAttemptAt !== null && attempts.length > 0 && (
            <>
              ; next <Moment at={nextAttemptAt} />
            </>
          )}
        </p>
        {last?.said && <p className="hint">{last.said}</p>}
      </div>
      {isRetryable && (
        <Button onPress={onRetry} isPending={isRetrying} aria-label={`Try again now: ${target}`}>
          Try again now
        </Button>
      )}
    </li>
  );
}
