import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { useLocation } from "wouter";
import { DeleteAccount } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Fault } from "../parts/notice.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { useEntering } from "../session/use-entering.ts";
import { Section } from "./section.tsx";

export function DeleteAccountSection() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section title="Delete the account" lead="Your account and all that is kept of it go for good.">
      <div>
        <Button look="danger" onPress={() => setIsAsking(true)}>
          Delete the account
        </Button>
      </div>
      <Dialog title="Delete the account?" isOpen={isAsking} onClose={() => setIsAsking(false)} isAlert>
        <p>
          Your addresses turn mail away from now on, and nobody else ever gets them. Kept mail, attachments, recorders,
          tokens and sessions are deleted. There is no way back; download your data first if you want to keep any.
        </p>
        <DeleteForm onCancel={() => setIsAsking(false)} />
      </Dialog>
    </Section>
  );
}

function DeleteForm({ onCancel }: { onCancel(): void }) {
  const [password, setPassword] = useState("");
  const [, navigate] = useLocation();
  const removal = useChange(DeleteAccount);
  const enter = useEntering();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = async () => {
      navigate("/", { replace: true });
      await enter();
    };
    removal.mutate({ password }, { onSuccess });
  };
  return (
    <Form className="stack" onSubmit={submit}>
      <PasswordInput label="Your password" value={password} onChange={setPassword} autoFocus />
      <Fault error={removal.error} />
      <div className="dialog-actions">
        <Button onPress={onCancel}>Keep it</Button>
        <Button look="danger" type="submit" isPending={removal.isPending}>
          Delete it for good
        </Button>
      </div>
    </Form>
  );
}
