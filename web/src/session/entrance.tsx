import { type ReactNode, useEffect } from "react";
import { Mark } from "../parts/mark.tsx";
import { ThemeButton } from "../parts/theme.tsx";

interface EntranceProps {
  title: string;
  children: ReactNode;
  foot?: ReactNode;
  /** What stands beside it, where there is room. */
  beside?: ReactNode;
}

/** The frame of the pages before one is signed in: a narrow column under the mark. */
export function Entrance({ title, children, foot, beside }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <div className={beside === undefined ? "entrance" : "entrance entrance-wide"}>
      <header className="entrance-head">
        <Mark />
        <ThemeButton />
      </header>
      <main className="entrance-main" id="content">
        <div className="entrance-column">
          <div className="card entrance-card">
            <h1>{title}</h1>
            {children}
          </div>
          {foot !== undefined && <div className="entrance-foot">{foot}</div>}
        </div>
        {beside}
      </main>
    </div>
  );
}
