import { useLocation } from "wouter";
import { NotFoundPage } from "../not-found-page.tsx";
import { Page } from "../parts/page.tsx";
import { ViewTabs } from "../parts/view-tabs.tsx";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";
import { OperatedAccounts } from "./operated-accounts.tsx";
import { OperatedDomains } from "./operated-domains.tsx";
import { OperatorActions } from "./operator-actions.tsx";
import { OperatorDeadEvents } from "./operator-dead-events.tsx";
import { OperatorQueues } from "./operator-queues.tsx";

const views = {
  accounts: OperatedAccounts,
  queues: OperatorQueues,
  events: OperatorDeadEvents,
  domains: OperatedDomains,
  actions: OperatorActions,
} as const;

type OperatorView = keyof typeof views;

const isView = (name: string): name is OperatorView => Object.hasOwn(views, name);

/** What operators of the service see and do; for everybody else there is no such page. */
export function OperatorPage({ view }: { view: string }) {
  const { operator: t } = useTexts();
  const { isOperator } = useAccount();
  const [, navigate] = useLocation();
  if (!isOperator || !isView(view)) return <NotFoundPage />;
  const View = views[view];
  const tabs = Object.keys(views)
    .filter(isView)
    .map((id) => ({ id, name: t.views[id] }));
  return (
    <Page title={t.title}>
      <p className="lead">{t.lead}</p>
      <ViewTabs
        name={t.title}
        views={tabs}
        current={view}
        onChange={(id) => navigate(id === "accounts" ? "/operator" : `/operator/${id}`)}
      />
      <View />
    </Page>
  );
}
