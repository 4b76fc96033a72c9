import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** It asks before something that cannot be undone. */
  isAlert?: boolean;
  /** `sheet`: comes from below on a phone. `palette`: high on the page, without a title that is seen. `curtain`: nothing of the page is seen behind it. */
  look?: "window" | "sheet" | "palette" | "curtain";
}

/** A window over the page: holds the focus while it is open, closes by Escape, gives the focus back. */
export function Dialog({ isOpen, ...props }: DialogProps) {
  return isOpen ? createPortal(<OpenDialog {...props} />, document.body) : null;
}

function OpenDialog({ title, onClose, children, isAlert = false, look = "window" }: Omit<DialogProps, "isOpen">) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // What is in it may ask for the focus, which it gets only in a dialog that is shown.
  const [isShown, setIsShown] = useState(false);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    setIsShown(true);
    return () => shown?.close();
  }, []);
  const closeFromOutside = usePressOutside(onClose);
  return (
    <dialog
      ref={dialog}
      className={`overlay overlay-${look}`}
      role={isAlert ? "alertdialog" : "dialog"}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser closes it on a second Escape, whatever was made of the first.
      onClose={() => dialog.current?.showModal()}
      {...(isAlert ? {} : closeFromOutside)}
    >
      <div className={`modal modal-${look}`}>
        <h2 id={titleId} className={look === "palette" ? "visually-hidden" : "dialog-title"}>
          {title}
        </h2>
        {isShown && children}
      </div>
    </dialog>
  );
}

/** Pressed and let go beside the window: who selects text in it may let go outside. */
function usePressOutside(onPress: () => void) {
  const pressed = useRef<EventTarget>(null);
  return {
    onMouseDown: ({ target }: MouseEvent) => {
      pressed.current = target;
    },
    onClick: ({ target, currentTarget }: MouseEvent) => {
      if (target === currentTarget && pressed.current === currentTarget) onPress();
    },
  };
}
