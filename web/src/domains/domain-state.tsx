import type { ListedDomainFragment } from "../graph/gen/operations.ts";
import { useTexts } from "../texts/texts.tsx";

const looks = {
  unverified: "state-waiting",
  verified: "state-good",
  broken: "state-bad",
  removed: "state-bad",
} as const;

export function DomainState({ domain: { state } }: { domain: Pick<ListedDomainFragment, "state"> }) {
  const { domains: t } = useTexts();
  return <span className={`state ${looks[state]}`}>{t.states[state]}</span>;
}
