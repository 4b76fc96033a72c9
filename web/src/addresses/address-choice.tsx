import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem } from "react-aria-components/Menu";
import { SearchField } from "react-aria-components/SearchField";
import { ProxyBinding } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { SearchOutcome } from "./search-outcome.tsx";
import { useAddressSearch } from "./use-address-search.ts";

const maxFound = 50;

interface AddressChoiceProps {
  /** The id of an address; empty for all. */
  value: string;
  onChange(id: string): void;
}

/** Of which address something is listed: typing finds one, by a search of all of them on the server. */
export function AddressChoice({ value, onChange }: AddressChoiceProps) {
  const { addressChoice: t } = useTexts();
  const [isChoosing, setIsChoosing] = useState(false);
  const choose = (id: string) => {
    setIsChoosing(false);
    onChange(id);
  };
  return (
    <>
      <Button className="choice address-filter" aria-haspopup="dialog" onClick={() => setIsChoosing(true)}>
        <span className="visually-hidden">{`${t.label}: `}</span>
        <span className="address-chosen">{value === "" ? t.all : <ChosenName id={value} />}</span>
        <ChevronDown className="icon" aria-hidden="true" />
      </Button>
      <Dialog title={t.choose} isOpen={isChoosing} onClose={() => setIsChoosing(false)} look="palette">
        <Search onChoose={choose} />
      </Dialog>
    </>
  );
}

function ChosenName({ id }: { id: string }) {
  const { addressChoice: t } = useTexts();
  return useGraph(ProxyBinding, { id }).data?.proxyBinding?.proxyAddress ?? t.chosen;
}

function Search({ onChoose }: { onChoose(id: string): void }) {
  const { addressChoice: t } = useTexts();
  const [typed, setTyped] = useState("");
  const { found, isSearching, error, refetch } = useAddressSearch(typed, maxFound, true);
  const all = { id: "", label: t.all };
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField aria-label={t.search} autoFocus>
        <Input className="palette-input" placeholder={t.search} />
      </SearchField>
      <Fault error={error} onRetry={refetch} />
      <Menu
        className="palette-list"
        aria-label={t.label}
        renderEmptyState={() => <SearchOutcome isSearching={isSearching} error={error} nothing={t.nothingFits} />}
      >
        {[...(typed.trim() === "" ? [all] : []), ...found].map(({ id, label }) => (
          <MenuItem key={id} id={`of-${id}`} textValue={label} className="palette-item" onAction={() => onChoose(id)}>
            <span className="palette-label">{label}</span>
          </MenuItem>
        ))}
      </Menu>
    </Autocomplete>
  );
}
