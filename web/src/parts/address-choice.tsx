import { AddressNames } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { useTexts } from "../texts/texts.tsx";
import { Choice } from "./choice.tsx";

const maxAddresses = 50;

interface AddressChoiceProps {
  /** The id of an address; empty for all. */
  value: string;
  /** What the chosen one is called, where that is known. */
  proxyAddress?: string | undefined;
  onChange(id: string): void;
}

/** Of which address something is listed: the newest can be chosen, and any that is chosen already. */
export function AddressChoice({ value, proxyAddress, onChange }: AddressChoiceProps) {
  const { addressChoice: t } = useTexts();
  const { data } = useGraph(AddressNames, { search: "", first: maxAddresses });
  const known = (data?.proxyBindings?.nodes ?? []).map((each) => [each.id, each.proxyAddress] as const);
  const isKnown = value === "" || known.some(([id]) => id === value);
  const chosen = isKnown ? [] : [[value, proxyAddress ?? t.chosen] as const];
  return (
    <Choice
      label={t.label}
      options={Object.fromEntries([["", t.all], ...chosen, ...known])}
      value={value}
      onChange={onChange}
    />
  );
}
