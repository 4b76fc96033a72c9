import { Check, Minus } from "lucide-react";

interface SelectBoxProps {
  label: string;
  isSelected: boolean;
  isIndeterminate?: boolean;
  onChange(isSelected: boolean): void;
}

/** A box to tick, named for who cannot see what it stands beside. */
export function SelectBox({ label, isSelected, isIndeterminate = false, onChange }: SelectBoxProps) {
  const Mark = isIndeterminate ? Minus : Check;
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        ref={(input) => {
          if (input) input.indeterminate = isIndeterminate;
        }}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="tick-box" aria-hidden="true">
        {(isSelected || isIndeterminate) && <Mark className="icon" />}
      </span>
    </label>
  );
}
