import { type ReactNode, useEffect } from "react";
import { Mark } from "../parts/mark.tsx";
import { ThemeButton } from "../parts/theme.tsx";

/** The frame of the pages before one is signed in: a narrow column under the mark. */
export function Entrance({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <div className="entrance">
      <header className="entrance-head">
        <Mark />
        <ThemeButton />
      </header>
      <main className="card entrance-card" id="content">
        <h1>{title}</h1>
        {children}
      </main>
      {foot !== undefined && <footer className="entrance-foot">{foot}</footer>}
    </div>
  );
}
