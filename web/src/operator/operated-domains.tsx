import { DomainState } from "../domains/domain-state.tsx";
import { OperatorDomains } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { DataTable } from "../parts/data-table.tsx";
import { TimeSince } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";
import { OperatorList } from "./operator-list.tsx";

/** The domains that accounts have added. */
export function OperatedDomains() {
  const { operator: t } = useTexts();
  const answer = useGraph(OperatorDomains, { name: null });
  return (
    <OperatorList answer={answer} list={answer.data?.operator?.domains} what={t.views.domains} none={t.noDomains}>
      {(domains) => (
        <DataTable
          name={t.views.domains}
          columns={t.domainColumns}
          rows={domains.map((domain) => ({
            id: domain.id,
            cells: [
              domain.name,
              <DomainState key="state" domain={domain} />,
              domain.checkedAt === null ? t.never : <TimeSince key="checked" at={domain.checkedAt} />,
              domain.failingSince && <TimeSince key="failing" at={domain.failingSince} />,
              <code key="owner">{domain.ownerId}</code>,
            ],
          }))}
        />
      )}
    </OperatorList>
  );
}
