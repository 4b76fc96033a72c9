import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button";

type Look = "plain" | "primary" | "danger" | "quiet" | "icon";

interface ButtonLook extends Omit<ButtonProps, "className"> {
  /** `icon`: a picture alone, whose name is its label. */
  look?: Look;
  /** Where it stands, for the style sheet. */
  className?: string;
}

/** A button; while `isPending` it stays focusable, says that it is busy and does nothing. */
export function Button({ look = "plain", className = "", ...props }: ButtonLook) {
  const looks = look === "icon" ? "button-quiet button-icon" : `button-${look}`;
  return <AriaButton {...props} className={`button ${looks} ${className}`} />;
}
