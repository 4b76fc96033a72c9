import type { ComponentProps } from "react";

type Look = "plain" | "primary" | "danger" | "quiet" | "icon";

interface ButtonProps extends ComponentProps<"button"> {
  /** `icon`: a picture alone, whose name is its label. */
  look?: Look;
  /** What it does is under way. */
  isPending?: boolean;
}

/** A button; while `isPending` it stays focusable, says that it is busy and does nothing. */
export function Button({ look = "plain", isPending = false, className = "", onClick, ...props }: ButtonProps) {
  const looks = look === "icon" ? "button-quiet button-icon" : `button-${look}`;
  return (
    <button
      type="button"
      {...props}
      className={`button ${looks} ${className}`}
      {...(isPending ? { "aria-disabled": true, "aria-busy": true } : {})}
      // A form is not sent by it either.
      onClick={isPending ? (event) => event.preventDefault() : onClick}
    />
  );
}
