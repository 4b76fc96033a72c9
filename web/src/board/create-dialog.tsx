import { Dialog } from "../parts/dialog.tsx";
import { CreateForm } from "./create-form.tsx";

/** Makes an address: one click opens it with an address suggested, the second takes it. */
export function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Dialog title="New address" isOpen={isOpen} onClose={onClose}>
      <CreateForm onDone={onClose} />
    </Dialog>
  );
}
