import type { ReactNode } from "react";
import { Switch, type SwitchProps } from "react-aria-components/Switch";

interface ToggleProps extends Omit<SwitchProps, "children" | "className"> {
  /** Null where its `aria-label` says all. */
  children: ReactNode;
}

/** An on-off switch whose label is its content. */
export function Toggle({ children, ...props }: ToggleProps) {
  return (
    <Switch {...props} className="toggle">
      <span className="toggle-track" aria-hidden="true">
        <span className="toggle-knob" />
      </span>
      {children !== null && <span className="toggle-label">{children}</span>}
    </Switch>
  );
}
