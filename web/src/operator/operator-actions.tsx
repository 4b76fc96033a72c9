import { OperatorActions as Actions } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { DataTable } from "../parts/data-table.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";
import { OperatorList } from "./operator-list.tsx";

/** What operators did to accounts. */
export function OperatorActions() {
  const { operator: t } = useTexts();
  const answer = useGraph(Actions, {});
  return (
    <OperatorList answer={answer} list={answer.data?.operator?.actions} what={t.views.actions} none={t.noActions}>
      {(actions) => (
        <DataTable
          name={t.views.actions}
          columns={t.actionColumns}
          rows={actions.map(({ id, at, operator, action, account }) => ({
            id,
            cells: [
              <DateTime key="at" at={at} />,
              <bdi key="operator">{operator}</bdi>,
              t.actions[action] ?? action,
              <bdi key="account">{account === "" ? t.goneAccount : account}</bdi>,
            ],
          }))}
        />
      )}
    </OperatorList>
  );
}
