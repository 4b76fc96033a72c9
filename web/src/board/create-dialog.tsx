import { Dialog } from "../parts/dialog.tsx";
import { useTexts } from "../texts/texts.tsx";
import { CreateForm } from "./create-form.tsx";

/** Makes an address: one click opens it with an address suggested, the second takes it. */
export function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { board } = useTexts();
  return (
    <Dialog title={board.newAddress} isOpen={isOpen} onClose={onClose}>
      <CreateForm onDone={onClose} />
    </Dialog>
  );
}
