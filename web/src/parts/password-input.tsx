import { TextInput, type TextInputProps } from "./text-input.tsx";

interface PasswordInputProps extends Omit<TextInputProps, "type" | "autoComplete"> {
  /** It is being chosen: a password manager may make one up. */
  isNew?: boolean;
}

export function PasswordInput({ isNew = false, ...props }: PasswordInputProps) {
  return <TextInput {...props} type="password" autoComplete={isNew ? "new-password" : "current-password"} required />;
}
