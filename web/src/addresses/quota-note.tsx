import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";

/**
 * How many addresses may be created still. How many were is not said: beside how many there are it would look wrong, since the one of the
 * sign-up is not counted.
 */
export function QuotaNote() {
  const { addresses: t } = useTexts();
  const { quota } = useAccount();
  if (!quota) return null;
  const left = quota.available - quota.used;
  return <p className="hint">{left > 0 ? t.quotaLeft(left) : t.quotaUsed(quota.available)}</p>;
}
