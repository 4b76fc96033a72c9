import { useEffect, useRef } from "react";
import { tinykeys } from "tinykeys";
import { useLocation } from "wouter";
import { usePlaces } from "./places.ts";
import { areShortcutsEnabled } from "./shortcut-setting.ts";

interface Openers {
  onPalette(): void;
  onHelp(): void;
}

/** Where letters are typed, they are no commands; nor are they while a dialog is open. */
function isTaken({ target }: KeyboardEvent): boolean {
  if (!areShortcutsEnabled() || isDialogOpen()) return true;
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}

/** The keys that work on every page: see the dialog that lists them. */
export function useShortcuts(openers: Openers): void {
  const latest = useRef(openers);
  latest.current = openers;
  const [, navigate] = useLocation();
  const places = usePlaces();
  useEffect(() => {
    const letter = (act: () => void) => (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      event.preventDefault();
      act();
    };
    const ways = places.map(({ letter: key, path }) => [`g ${key}`, letter(() => navigate(path))] as const);
    const bindings = {
      "$mod+k": (event: KeyboardEvent) => {
        event.preventDefault();
        if (!isDialogOpen()) latest.current.onPalette();
      },
      "Shift+?": letter(() => latest.current.onHelp()),
      n: letter(() => navigate("/?new")),
      "/": letter(() => document.querySelector<HTMLElement>("main input[type=search]")?.focus()),
      ...Object.fromEntries(ways),
    };
    // Unless told otherwise it leaves out all keys that are pressed in a field: `isTaken` does, for letters alone.
    return tinykeys(window, bindings, { ignore: ({ repeat, isComposing }) => repeat || isComposing });
  }, [navigate, places]);
}
