import { type ReactNode, useEffect } from "react";
import { Mark } from "../parts/mark.tsx";
import { ThemeButton } from "../parts/theme.tsx";

interface SignedOutLayoutProps {
  title: string;
  children: ReactNode;
  foot?: ReactNode;
  /** What stands beside it, where there is room. */
  beside?: ReactNode;
}

/** The frame of the pages before one is signed in: a narrow column under the mark. */
export function SignedOutLayout({ title, children, foot, beside }: SignedOutLayoutProps) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <div className={beside === undefined ? "signed-out" : "signed-out signed-out-wide"}>
      <header className="signed-out-head">
        <Mark />
        <ThemeButton />
      </header>
      <main className="signed-out-main" id="content">
        <div className="signed-out-column">
          <div className="card signed-out-card">
            <h1>{title}</h1>
            {children}
          </div>
          {foot !== undefined && <div className="signed-out-foot">{foot}</div>}
        </div>
        {beside}
      </main>
    </div>
  );
}
