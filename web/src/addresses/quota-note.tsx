import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";

/** How many addresses there may be still, once that is worth a thought. */
export function QuotaNote() {
  const { addresses: t } = useTexts();
  const { quota } = useAccount();
  if (!quota) return null;
  return <p className="hint">{t.quota(quota.used, quota.available)}</p>;
}
