import type { ReactNode } from "react";

interface ToggleProps {
  isSelected: boolean;
  onChange(isSelected: boolean): void;
  /** What it shows was asked for and is not saved yet. */
  isSaving?: boolean;
  /** Where there is no content to name it. */
  "aria-label"?: string;
  /** Null where its `aria-label` says all. */
  children: ReactNode;
}

/** An on-off switch whose label is its content. */
export function Toggle({ isSelected, onChange, isSaving = false, children, ...props }: ToggleProps) {
  return (
    <label className="toggle">
      <input
        {...props}
        type="checkbox"
        role="switch"
        checked={isSelected}
        aria-checked={isSelected}
        aria-busy={isSaving}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="toggle-track" aria-hidden="true">
        <span className="toggle-knob" />
      </span>
      {children !== null && <span className="toggle-label">{children}</span>}
    </label>
  );
}
