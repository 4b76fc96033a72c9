import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

const shownMs = 2_000;

/** Copies a text, and says so for a moment, to the ear as well. @param what what it is: "the address" */
export function CopyButton({ text, what }: { text: string; what: string }) {
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
  const labels = { idle: "Copy", copied: "Copied", failed: "Could not copy" };
  return (
    <>
      <Button look="quiet" onPress={copy} aria-label={`${labels[state]} ${what}`}>
        {labels[state]}
      </Button>
      <span className="visually-hidden" role="status">
        {state === "copied" && `Copied ${what}.`}
        {state === "failed" && `Could not copy ${what}.`}
      </span>
    </>
  );
}

/** Browsers give the clipboard to pages of https and of this machine alone; elsewhere the old command still works. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("the browser refused to copy");
}
