import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";

const shownMs = 2_000;

interface CopyButtonProps {
  text: string;
  /** What it is: "the address" */
  what: string;
  /** Another word than “Copy”. */
  label?: string;
  /** What a screen reader calls the button, if not “Copy” and `what`; has to contain the label (WCAG 2.5.3). */
  fullLabel?: string;
  /** A picture instead of the word. */
  isIcon?: boolean;
}

/** Copies a text, and says so for a moment, to the ear as well. */
export function CopyButton({ text, what, label: ownLabel, fullLabel, isIcon = false }: CopyButtonProps) {
  const { common: t } = useTexts();
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    copyText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  const labels = {
    idle: [ownLabel ?? t.copy, fullLabel ?? t.copyWhat(what)],
    copied: [t.copied, t.copiedWhat(what)],
    failed: [t.copyFailed, t.copyFailedWhat(what)],
  } as const;
  const [label, inFull] = labels[state];
  const Icon = state === "copied" ? Check : state === "failed" ? X : Copy;
  return (
    <>
      <Button look={isIcon ? "icon" : "quiet"} onClick={copy} aria-label={inFull}>
        {isIcon ? <Icon className="icon" aria-hidden="true" /> : label}
      </Button>
      <span className="visually-hidden" role="status">
        {state !== "idle" && inFull}
      </span>
    </>
  );
}

/** Browsers give the clipboard to pages of https and of this machine alone; elsewhere the old command still works. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  // What is outside an open dialog cannot be selected.
  const place = [...document.querySelectorAll("dialog")].at(-1) ?? document.body;
  place.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("the browser refused to copy");
}
