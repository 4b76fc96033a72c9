import { type ReactNode, useId, useState } from "react";
import { Button } from "./button.tsx";

interface ExpanderProps {
  title: string;
  /** What it is about, for who cannot see what it stands beside. */
  about?: string;
  children: ReactNode;
}

/** Something that is shown when it is asked for, and not made before. */
export function Expander({ title, about, children }: ExpanderProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  return (
    <div className="expander">
      <Button
        look="quiet"
        className="expander-button"
        onClick={() => setIsOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={panelId}
      >
        <svg className="icon expander-arrow" viewBox="0 0 20 20" aria-hidden="true">
          <path d="M7 4l6 6-6 6" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
        {title}
        {about !== undefined && <span className="visually-hidden"> {about}</span>}
      </Button>
      <div className="expander-panel" id={panelId} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}
