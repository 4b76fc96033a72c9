import { type ChangeEvent, type ComponentProps, type InvalidEvent, type ReactNode, useId, useState } from "react";

export interface TextInputProps extends Omit<ComponentProps<"input">, "className" | "id" | "onChange"> {
  label: string;
  /** Named for who cannot see what it stands beside. */
  isLabelHidden?: boolean;
  hint?: string;
  /** What is wrong with it, as the server says. */
  error?: ReactNode;
  /** What always follows what is typed: "@example.com" */
  suffix?: ReactNode;
  /** A button in it, at its end. */
  control?: ReactNode;
  onChange(value: string): void;
}

/** A labelled line of text; what is wrong with it stands under it and is read out with it. */
export function TextInput({ label, isLabelHidden, hint, error, suffix, control, onChange, ...props }: TextInputProps) {
  const id = useId();
  const [invalid, setInvalid] = useState("");
  const wrong = error ?? invalid;
  const hintId = hint === undefined ? "" : `${id}-hint`;
  const wrongId = wrong === "" ? "" : `${id}-wrong`;
  const refuse = (event: InvalidEvent<HTMLInputElement>) => {
    // In its place stands the line below, which stays.
    event.preventDefault();
    const { currentTarget: input } = event;
    setInvalid(input.validationMessage);
    if (input.form?.querySelector("input:invalid, select:invalid") === input) input.focus();
  };
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    if (invalid !== "") setInvalid(target.validationMessage);
    onChange(target.value);
  };
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? "visually-hidden" : undefined}>
        {label}
      </label>
      <div className="input-line">
        <input
          {...props}
          id={id}
          className="input"
          onChange={change}
          onInvalid={refuse}
          aria-invalid={wrong !== ""}
          aria-describedby={`${hintId} ${wrongId}`.trim() || undefined}
        />
        {suffix != null && <span className="input-suffix">{suffix}</span>}
        {control != null && <span className="input-control">{control}</span>}
      </div>
      {hint !== undefined && (
        <span id={hintId} className="hint">
          {hint}
        </span>
      )}
      {wrong !== "" && (
        <span id={wrongId} className="field-error" role={error === undefined ? undefined : "alert"}>
          {wrong}
        </span>
      )}
    </div>
  );
}
