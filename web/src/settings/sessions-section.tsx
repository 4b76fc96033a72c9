import { RevokeOtherSessions, RevokeSession, Sessions } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { Fault } from "../parts/notice.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Section } from "./section.tsx";

export function SessionsSection() {
  const { settings: t } = useTexts();
  const { data, error } = useGraph(Sessions, {});
  const revoke = useChange(RevokeSession, [Sessions]);
  const revokeOthers = useChange(RevokeOtherSessions, [Sessions]);
  const sessions = data?.me?.sessions ?? [];
  return (
    <Section title={t.sessions} lead={t.sessionsLead}>
      <Fault error={error ?? revoke.error ?? revokeOthers.error} />
      {!data && !error && <Skeleton rows={1} />}
      <ul className="rows">
        {sessions.map(({ id, browser, clientAddress, isCurrent, createdAt, expiresAt }) => (
          <li key={id}>
            <div>
              <p>
                {t.sessionFrom(browser, <span className="address">{clientAddress}</span>)}{" "}
                {isCurrent && <span className="state state-good">{t.thisDevice}</span>}
              </p>
              <p className="hint">{t.sessionSince(<DateTime at={createdAt} />, <DateTime at={expiresAt} />)}</p>
            </div>
            {!isCurrent && (
              <Button
                look="quiet"
                onClick={() => revoke.mutate({ id })}
                aria-label={t.signOutWhat(browser, clientAddress)}
              >
                {t.signOut}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <div>
          <Button onClick={() => revokeOthers.mutate({})} isPending={revokeOthers.isPending}>
            {t.signOutOthers}
          </Button>
        </div>
      )}
    </Section>
  );
}
