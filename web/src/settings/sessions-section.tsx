import { RevokeOtherSessions, RevokeSession, Sessions } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Moment } from "../parts/moment.tsx";
import { Fault } from "../parts/notice.tsx";
import { Section } from "./section.tsx";

export function SessionsSection() {
  const { data, error } = useGraph(Sessions, {});
  const revoke = useChange(RevokeSession, [Sessions]);
  const revokeOthers = useChange(RevokeOtherSessions, [Sessions]);
  const sessions = data?.me?.sessions ?? [];
  return (
    <Section title="Sessions" lead="Where you are signed in.">
      <Fault error={error ?? revoke.error ?? revokeOthers.error} />
      <ul className="rows">
        {sessions.map(({ id, browser, clientAddress, isCurrent, createdAt, expiresAt }) => (
          <li key={id}>
            <div>
              <p>
                {browser ? `${browser}, from` : "From"} <span className="address">{clientAddress}</span>{" "}
                {isCurrent && <span className="state state-good">This one</span>}
              </p>
              <p className="hint">
                Since <Moment at={createdAt} />, until <Moment at={expiresAt} />
              </p>
            </div>
            {!isCurrent && (
              <Button
                look="quiet"
                onPress={() => revoke.mutate({ id })}
                aria-label={`End the session of ${browser ?? "something"} from ${clientAddress}`}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <div>
          <Button onPress={() => revokeOthers.mutate({})} isPending={revokeOthers.isPending}>
            End all others
          </Button>
        </div>
      )}
    </Section>
  );
}
