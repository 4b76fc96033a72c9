import { Search, X } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useTexts } from "../texts/texts.tsx";

interface SearchInputProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** Escape empties it, as the button does. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  const { common } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange("");
    input.current?.focus();
  };
  const clearByKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape") clear();
  };
  return (
    <div className="search">
      <Search className="icon search-icon" aria-hidden="true" />
      <input
        ref={input}
        className="input"
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={clearByKey}
      />
      {value !== "" && (
        <button type="button" className="search-clear" aria-label={common.clearSearch} onClick={clear} tabIndex={-1}>
          <X className="icon" aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
