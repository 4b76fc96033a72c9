import { Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";

type Theme = "light" | "dark";

const key = "postern-theme";
const listeners = new Set<() => void>();
const systemIsDark = () => window.matchMedia("(prefers-color-scheme: dark)").matches;

function chosenTheme(): Theme | undefined {
  const kept = localStorage.getItem(key);
  return kept === "light" || kept === "dark" ? kept : undefined;
}

/** Applies what was chosen here before; without a choice the system's preference holds. */
export function applyTheme(theme = chosenTheme()): void {
  if (theme) document.documentElement.dataset["theme"] = theme;
  else delete document.documentElement.dataset["theme"];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const shownTheme = (): Theme => chosenTheme() ?? (systemIsDark() ? "dark" : "light");

/** The theme that is not shown, and what changes to it; choosing what the system prefers goes back to following it. */
export function useTheme(): { other: Theme; change(): void } {
  const theme = useSyncExternalStore(subscribe, shownTheme);
  const other: Theme = theme === "dark" ? "light" : "dark";
  const change = () => {
    const isSystems = (other === "dark") === systemIsDark();
    if (isSystems) localStorage.removeItem(key);
    else localStorage.setItem(key, other);
    applyTheme(isSystems ? undefined : other);
    for (const listener of listeners) listener();
  };
  return { other, change };
}

/** Switches between light and dark. */
export function ThemeButton() {
  const { common } = useSignedOutTexts();
  const { other, change } = useTheme();
  const Icon = other === "light" ? Sun : Moon;
  return (
    <Button look="icon" onClick={change} aria-label={common.useTheme(other)}>
      <Icon className="icon" aria-hidden="true" />
    </Button>
  );
}
