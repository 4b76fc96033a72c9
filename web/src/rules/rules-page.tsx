import { Page } from "../parts/page.tsx";
import { useTexts } from "../texts/texts.tsx";
import { RuleList } from "./rule-list.tsx";

/** All rules of the account, in the order in which they are tried. */
export function RulesPage() {
  const { rules: t } = useTexts();
  return (
    <Page title={t.title}>
      <p className="lead">{t.lead}</p>
      <RuleList />
    </Page>
  );
}
