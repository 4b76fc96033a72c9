import { useState } from "react";
import { Link } from "wouter";
import { ReverseAddresses } from "../contacts/reverse-addresses.tsx";
import { Contacts, CreateContact } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { replySubjectOf, replyToOf } from "./reply-to.ts";

/** Gives the reverse address by which the author is answered, or says how the address may reply. */
export function Reply({ email }: { email: ShownEmail }) {
  const { binding: ofAddress, common, contacts, email: t } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const creation = useChange(CreateContact, [Contacts]);
  const { binding, direction, isKept } = email;
  const author = replyToOf(email);
  // Of an email that is not kept only the envelope's sender is known, which may be a program.
  if (!binding || !isKept || direction !== "FORWARD" || author === "") return null;
  const { id, proxyAddress, answers } = binding;
  const open = () => {
    setIsOpen(true);
    if (answers) creation.mutate({ bindingId: id, address: author, name: null });
  };
  const close = () => setIsOpen(false);
  const made = creation.data?.createContact?.contact;
  return (
    <>
      <Button onClick={open}>{t.reply}</Button>
      <Dialog title={t.reply} isOpen={isOpen} onClose={close}>
        {answers && made && (
          <ReverseAddresses
            from={proxyAddress}
            contacts={[made]}
            subject={replySubjectOf(email)}
            error={null}
            onDone={close}
          />
        )}
        {answers && creation.isPending && <Loading />}
        <Fault error={creation.error} />
        {!answers && (
          <div className="stack">
            <p>{contacts.noneOff}</p>
            <div className="dialog-actions">
              <Button onClick={close}>{common.cancel}</Button>
              <Link href={`/addresses/${id}/settings`} className="button button-primary">
                {ofAddress.tabs.settings}
              </Link>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
}
