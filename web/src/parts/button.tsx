import type { ComponentProps, MouseEvent } from "react";

type Look = "plain" | "primary" | "danger" | "quiet" | "icon";

interface ButtonProps extends ComponentProps<"button"> {
  /** `icon`: a picture alone, whose name is its label. */
  look?: Look;
  /** What it does is under way. */
  isPending?: boolean;
}

/** A button; while `isPending` it stays focusable, says that it is busy and does nothing. A double click sends its form once. */
export function Button({ look = "plain", isPending = false, className = "", onClick, ...props }: ButtonProps) {
  const looks = look === "icon" ? "button-quiet button-icon" : `button-${look}`;
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // The answer to the first click may have come by then, and emptied the form. A form is not sent by a busy button either.
    const isSecond = props.type === "submit" && event.detail > 1;
    if (isPending || isSecond) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...props}
      className={`button ${looks} ${className}`}
      {...(isPending ? { "aria-disabled": true, "aria-busy": true } : {})}
      onClick={click}
    />
  );
}
