import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Disclosure, DisclosurePanel } from "react-aria-components/Disclosure";

interface ExpanderProps {
  title: string;
  /** What it is about, for who cannot see what it stands beside. */
  about?: string;
  children: ReactNode;
}

/** Something that is shown when it is asked for, and not made before. */
export function Expander({ title, about, children }: ExpanderProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Disclosure className="expander" isExpanded={isOpen} onExpandedChange={setIsOpen}>
      <Button slot="trigger" className="button button-quiet expander-button">
        <svg className="icon expander-arrow" viewBox="0 0 20 20" aria-hidden="true">
          <path d="M7 4l6 6-6 6" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
        {title}
        {about !== undefined && <span className="visually-hidden"> {about}</span>}
      </Button>
      <DisclosurePanel className="expander-panel">{isOpen && children}</DisclosurePanel>
    </Disclosure>
  );
}
