import { AddressChoice } from "../addresses/address-choice.tsx";
import { Choice } from "../parts/choice.tsx";
import { useTexts } from "../texts/texts.tsx";

interface FailureFiltersProps {
  /** Its id; empty for all. */
  address: string;
  /** Of `reasons`; empty for any. */
  reason: string;
  /** Of `periods`; empty for any. */
  period: string;
  onAddressChange(id: string): void;
  onReasonChange(reason: string): void;
  onPeriodChange(period: string): void;
}

/** Of which address, why, and since when: each address has a link to here on its own page. */
export function FailureFilters(props: FailureFiltersProps) {
  const { address, reason, period, onAddressChange, onReasonChange, onPeriodChange } = props;
  const { failures: t, inbox } = useTexts();
  return (
    <div className="filters">
      <AddressChoice value={address} onChange={onAddressChange} />
      <Choice
        label={t.reason}
        options={{ "": t.anyReason, ...inbox.reasons }}
        value={reason}
        onChange={onReasonChange}
      />
      <Choice label={t.period} options={t.periods} value={period} onChange={onPeriodChange} />
    </div>
  );
}
