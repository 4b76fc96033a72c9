import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button";

type Look = "plain" | "primary" | "danger" | "quiet";

/** A button; while `isPending` it stays focusable, says that it is busy and does nothing. */
export function Button({ look = "plain", ...props }: ButtonProps & { look?: Look }) {
  return <AriaButton {...props} className={`button button-${look}`} />;
}
