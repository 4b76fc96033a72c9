import { type ReactNode, useEffect, useRef } from "react";
import { useHandedOnFocus } from "./use-handed-on-focus.ts";

interface PageProps {
  title: string;
  /** Shows a long title in three lines at most. */
  isTitleCut?: boolean;
  /** What stands above the title: the way back. */
  before?: ReactNode;
  /** What stands beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A title was shown before: from then on a new page takes the focus, so that a screen reader says where one is. */
let hasShownPage = false;

/** The main part of a page, under its heading. */
export function Page({ title, isTitleCut = false, before, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  useEffect(() => {
    if (hasShownPage) heading.current?.focus();
    hasShownPage = true;
  }, []);
  return (
    <main className="page" id="content">
      {before}
      <div className="page-head">
        <h1
          ref={heading}
          tabIndex={-1}
          dir="auto"
          className={isTitleCut ? "cut" : undefined}
          // Browsers take a place to break at for a blank when they name it.
          aria-label={isName(title) ? title : undefined}
        >
          {isName(title) ? <Breakable name={title} /> : title}
        </h1>
        {actions !== undefined && <Actions>{actions}</Actions>}
      </div>
      {children}
    </main>
  );
}

/** Whether a title is an address or a host name alone. */
function isName(title: string): boolean {
  return /^\S+[.@]\S+$/.test(title);
}

/** Broken before its @ and its dots rather than at any letter. */
function Breakable({ name }: { name: string }) {
  return name.split(/(?=[.@])/).reduce<ReactNode>(
    (before, part) => (
      <>
        {before}
        <wbr />
        {part}
      </>
    ),
    undefined,
  );
}

function Actions({ children }: { children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null);
  useHandedOnFocus(part);
  return (
    <div ref={part} className="page-actions">
      {children}
    </div>
  );
}
