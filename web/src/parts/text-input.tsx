import type { ReactNode } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextField, type TextFieldProps } from "react-aria-components/TextField";

export interface TextInputProps extends Omit<TextFieldProps, "children" | "className"> {
  label: string;
  hint?: string;
  placeholder?: string;
  /** What is wrong with it, as the server says. */
  error?: string | undefined;
  /** What always follows what is typed: "@example.com" */
  suffix?: ReactNode;
}

/** By our own checks, which do not keep the form from being sent again as the browser's does. */
const refused = { isInvalid: true, validationBehavior: "aria" } as const;

/** A labelled line of text; what is wrong with it stands under it and is read out with it. */
export function TextInput({ label, hint, placeholder, error, suffix, ...props }: TextInputProps) {
  return (
    <TextField {...props} {...(error === undefined ? {} : refused)} className="field">
      <Label>{label}</Label>
      <div className="input-line">
        <Input className="input" {...(placeholder === undefined ? {} : { placeholder })} />
        {suffix != null && <span className="input-suffix">{suffix}</span>}
      </div>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      {error === undefined ? (
        <FieldError className="field-error" />
      ) : (
        <FieldError className="field-error">{error}</FieldError>
      )}
    </TextField>
  );
}
