import { Search, X } from "lucide-react";
import { Button } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { SearchField } from "react-aria-components/SearchField";
import { useTexts } from "../texts/texts.tsx";

interface SearchInputProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

export function SearchInput({ label, value, onChange }: SearchInputProps) {
  const { common } = useTexts();
  return (
    <SearchField className="search" value={value} onChange={onChange}>
      <Label className="visually-hidden">{label}</Label>
      <Search className="icon search-icon" aria-hidden="true" />
      <Input className="input" placeholder={label} />
      {value !== "" && (
        <Button className="search-clear" aria-label={common.clearSearch}>
          <X className="icon" aria-hidden="true" />
        </Button>
      )}
    </SearchField>
  );
}
