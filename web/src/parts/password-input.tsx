import { Eye, EyeOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import { TextInput, type TextInputProps } from "./text-input.tsx";

interface PasswordInputProps extends Omit<TextInputProps, "type" | "autoComplete" | "control"> {
  /** It is being chosen: a password manager may make one up. */
  isNew?: boolean;
}

/** A password, which is shown when asked for, until its form is sent. */
export function PasswordInput({ isNew = false, ...props }: PasswordInputProps) {
  const { common: t } = useSignedOutTexts();
  const [isShown, setIsShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A browser may keep what is sent from a field of text, to suggest it.
    const form = input.current?.form;
    const hide = () => setIsShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextInput
      {...props}
      ref={input}
      type={isShown ? "text" : "password"}
      autoComplete={isNew ? "new-password" : "current-password"}
      autoCapitalize="none"
      spellCheck={false}
      required
      control={
        <Button look="icon" onClick={() => setIsShown(!isShown)}>
          <Icon className="icon" aria-hidden="true" />
          {/* No `aria-label`: what looks for the field by its label would find this too. */}
          <span className="visually-hidden">{`${isShown ? t.hide : t.show}: ${props.label}`}</span>
        </Button>
      }
    />
  );
}
