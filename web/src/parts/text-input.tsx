import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextField, type TextFieldProps } from "react-aria-components/TextField";

export interface TextInputProps extends Omit<TextFieldProps, "children" | "className"> {
  label: string;
  hint?: string;
  placeholder?: string;
}

/** A labelled line of text; what is wrong with it stands under it and is read out with it. */
export function TextInput({ label, hint, placeholder, ...props }: TextInputProps) {
  return (
    <TextField {...props} className="field">
      <Label>{label}</Label>
      <Input className="input" {...(placeholder === undefined ? {} : { placeholder })} />
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error" />
    </TextField>
  );
}
