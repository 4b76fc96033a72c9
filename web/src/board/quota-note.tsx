import { useAccount } from "../session/account.tsx";

/** How many addresses there may be still, once that is worth a thought. */
export function QuotaNote() {
  const { quota } = useAccount();
  if (!quota) return null;
  return (
    <p className="hint">
      {quota.used} of {quota.available} addresses used
    </p>
  );
}
