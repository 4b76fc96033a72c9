import { Check, Minus } from "lucide-react";
import { Checkbox } from "react-aria-components/Checkbox";

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
    <Checkbox
      className="tick"
      aria-label={label}
      isSelected={isSelected}
      isIndeterminate={isIndeterminate}
      onChange={onChange}
    >
      <span className="tick-box" aria-hidden="true">
        {(isSelected || isIndeterminate) && <Mark className="icon" />}
      </span>
    </Checkbox>
  );
}
