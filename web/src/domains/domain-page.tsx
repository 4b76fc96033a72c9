import { CheckDomain, Domain, Domains, RemoveDomain, RotateDomainKeys } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { NotFoundPage } from "../not-found-page.tsx";
import { Button } from "../parts/button.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { RemoveThis } from "../parts/remove-this.tsx";
import { useTexts } from "../texts/texts.tsx";
import { DomainState } from "./domain-state.tsx";
import { Patterns } from "./patterns.tsx";
import { RecordRow } from "./record-row.tsx";

/** One domain: each DNS record with what is expected and what was found. */
export function DomainPage({ id }: { id: string }) {
  const { domains: t } = useTexts();
  const { data, error, refetch } = useGraph(Domain, { id });
  const check = useChange(CheckDomain, [Domain, Domains]);
  const rotate = useChange(RotateDomainKeys, [Domain]);
  const domain = data?.domain;
  if (isRefusal(error, "NotFound")) return <NotFoundPage />;
  if (!domain)
    return error ? (
      <Page title={t.one}>
        <Fault error={error} onRetry={refetch} />
      </Page>
    ) : (
      <Loading />
    );
  const { name, state, records, checkedAt } = domain;
  const removal = (
    <RemoveThis texts={t} operation={RemoveDomain} variables={{ id }} stale={[Domains]} next="/domains">
      <p>{t.removeLead(<strong className="address">{name}</strong>)}</p>
    </RemoveThis>
  );
  return (
    <Page title={name} actions={removal}>
      <div className="url-line">
        <DomainState domain={domain} />
        <span className="hint">
          {t.explained[state]} {checkedAt !== null && t.checked(<DateTime at={checkedAt} />)}
        </span>
      </div>
      <h2>{t.records}</h2>
      <p>{t.recordsLead}</p>
      <ul className="cards" aria-label={t.records}>
        {records.map((record) => (
          <RecordRow key={`${record.name} ${record.type} ${record.expected}`} record={record} domain={name} />
        ))}
      </ul>
      <div>
        <Button look="primary" onClick={() => check.mutate({ id })} isPending={check.isPending}>
          {t.checkNow}
        </Button>
        {(state === "verified" || state === "broken") && (
          <Button onClick={() => rotate.mutate({ id })} isPending={rotate.isPending}>
            {t.newKeys}
          </Button>
        )}
      </div>
      <p className="hint">{t.newKeysHint}</p>
      <Fault error={check.error ?? rotate.error} />
      {state !== "unverified" && <Patterns domain={domain} />}
    </Page>
  );
}
