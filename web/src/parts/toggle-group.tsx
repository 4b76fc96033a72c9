import { type InvalidEvent, useEffect, useId, useRef, useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Toggle } from "./toggle.tsx";

interface ToggleGroupProps {
  label: string;
  /** What can be chosen, and what it is called. */
  options: Readonly<Record<string, string>>;
  selected: readonly string[];
  onChange(selected: string[]): void;
}

/** Switches of which at least one has to be on: a form with none on is not sent, and says so here. */
export function ToggleGroup({ label, options, selected, onChange }: ToggleGroupProps) {
  const { common: t } = useTexts();
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const [isRefused, setIsRefused] = useState(false);
  const isWrong = selected.length === 0;
  // By the first of them the browser stops the form.
  useEffect(() => group.current?.querySelector("input")?.setCustomValidity(isWrong ? t.chooseOne : ""));
  const refuse = (event: InvalidEvent<HTMLFieldSetElement>) => {
    // In its place stands the line below, which stays.
    event.preventDefault();
    setIsRefused(true);
    const input = event.target as EventTarget as HTMLInputElement;
    if (input.form?.querySelector("input:invalid, select:invalid") === input) input.focus();
  };
  const toggle = (option: string, isWanted: boolean) => {
    setIsRefused(false);
    onChange(isWanted ? [...selected, option] : selected.filter((each) => each !== option));
  };
  const isSaid = isRefused && isWrong;
  return (
    <fieldset
      ref={group}
      className="stack"
      aria-label={label}
      aria-describedby={isSaid ? id : undefined}
      onInvalidCapture={refuse}
    >
      <p className="label">{label}</p>
      {Object.entries(options).map(([option, words]) => (
        <Toggle key={option} isSelected={selected.includes(option)} onChange={(isWanted) => toggle(option, isWanted)}>
          {words}
        </Toggle>
      ))}
      {isSaid && (
        <p id={id} className="field-error" role="alert">
          {t.chooseOne}
        </p>
      )}
    </fieldset>
  );
}
