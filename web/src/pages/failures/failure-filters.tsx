import { ProxyBindings } from "../../graph/gen/operations.ts";
import { useConnection } from "../../graph/use-graph.ts";
import { Choice } from "../../parts/choice.tsx";
import { useTexts } from "../../texts/texts.tsx";

interface FailureFiltersProps {
  /** Its id; empty for all. */
  address: string;
  /** Of the address that is chosen, where it is known. */
  proxyAddress: string | undefined;
  /** Of `periods`; empty for any. */
  period: string;
  onAddressChange(id: string): void;
  onPeriodChange(period: string): void;
}

/** Of which address, and since when: the newest addresses can be chosen, and each has a link to here on its own page. */
export function FailureFilters(props: FailureFiltersProps) {
  const { address, proxyAddress, period, onAddressChange, onPeriodChange } = props;
  const { mail: t } = useTexts();
  const { nodes } = useConnection(ProxyBindings, { search: "" }, ({ proxyBindings }) => proxyBindings);
  const known = nodes.map((each) => [each.id, each.proxyAddress] as const);
  const isKnown = address === "" || known.some(([id]) => id === address);
  const chosen = isKnown ? [] : [[address, proxyAddress ?? t.chosenAddress] as const];
  return (
    <div className="filters">
      <Choice
        label={t.ofAddress}
        options={Object.fromEntries([["", t.allAddresses], ...chosen, ...known])}
        value={address}
        onChange={onAddressChange}
      />
      <Choice label={t.period} options={t.periods} value={period} onChange={onPeriodChange} />
    </div>
  );
}
