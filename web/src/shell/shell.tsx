import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { noteReading } from "../addresses/first-steps-memory.ts";
import { useNoticesOn } from "../notices/notice-setting.ts";
import { ErrorBoundary } from "../parts/error-boundary.tsx";
import { lazyPage } from "../parts/lazy-page.ts";
import { Toasts } from "../parts/toasts.tsx";
import { ConfirmationBar } from "../session/confirmation-bar.tsx";
import { useTexts } from "../texts/texts.tsx";
import { LazyPalette } from "./lazy-palette.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

const Notices = lazyPage(() => import("../notices/notices.tsx").then((part) => part.Notices));

/** The frame of every page for who is signed in. */
export function Shell({ children }: { children: ReactNode }) {
  const { common } = useTexts();
  const [opened, setOpened] = useState<"palette" | "shortcuts">();
  const [location] = useLocation();
  useEffect(() => noteReading(location), [location]);
  const isNotified = useNoticesOn();
  const close = () => setOpened(undefined);
  useShortcuts({ onPalette: () => setOpened("palette"), onHelp: () => setOpened("shortcuts") });
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {common.skipToContent}
      </a>
      <Sidebar onSearch={() => setOpened("palette")} />
      <div className="shell-main">
        <ConfirmationBar />
        {children}
      </div>
      <Toasts />
      {isNotified && (
        <ErrorBoundary place={location} isQuiet>
          <Suspense fallback={null}>
            <Notices />
          </Suspense>
        </ErrorBoundary>
      )}
      {opened === "palette" && <LazyPalette onClose={close} onHelp={() => setOpened("shortcuts")} />}
      {opened === "shortcuts" && <ShortcutsDialog onClose={close} />}
    </div>
  );
}
