import { useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";

type Theme = "light" | "dark";

const key = "postern-theme";
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

/** Switches between light and dark; choosing what the system prefers goes back to following it. */
export function ThemeButton() {
  const { common } = useTexts();
  const [theme, setTheme] = useState<Theme>(chosenTheme() ?? (systemIsDark() ? "dark" : "light"));
  const other: Theme = theme === "dark" ? "light" : "dark";
  const change = () => {
    const isSystems = (other === "dark") === systemIsDark();
    if (isSystems) localStorage.removeItem(key);
    else localStorage.setItem(key, other);
    applyTheme(isSystems ? undefined : other);
    setTheme(other);
  };
  return (
    <Button look="quiet" onPress={change} aria-label={common.useTheme(other)}>
      <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
      </svg>
    </Button>
  );
}
