import type { ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** It asks before something that cannot be undone. */
  isAlert?: boolean;
  /** `sheet`: comes from below on a phone. `palette`: high on the page, without a title that is seen. */
  look?: "window" | "sheet" | "palette";
}

/** A window over the page: holds the focus while it is open, closes by Escape, gives the focus back. */
export function Dialog({ title, isOpen, onClose, children, isAlert = false, look = "window" }: DialogProps) {
  return (
    <ModalOverlay
      className={`overlay overlay-${look}`}
      isOpen={isOpen}
      isDismissable={!isAlert}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={`modal modal-${look}`}>
        <AriaDialog className="dialog" role={isAlert ? "alertdialog" : "dialog"}>
          <Heading slot="title" className={look === "palette" ? "visually-hidden" : "dialog-title"}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
