import { useState } from "react";
import { Contacts, DeleteContact, type ShownContactFragment, UpdateContact } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { TimeSince } from "../parts/date-time.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { RenameContact } from "./rename-contact.tsx";

/** Somebody an address knows: named, blocked, or written to at the reverse address. */
export function ContactRow({ contact }: { contact: ShownContactFragment }) {
  const { contacts: t } = useTexts();
  const { id, address, name, reverseAddress, isBlocked, received, sent, lastSeenAt } = contact;
  const [asked, setAsked] = useState<"rename" | "remove">();
  const close = () => setAsked(undefined);
  const change = useChange(UpdateContact, [Contacts]);
  const removal = useChange(DeleteContact, [Contacts], close);
  const who = name === "" ? address : name;
  return (
    <li className="contact">
      <div>
        <div className="contact-who">
          <span className="contact-name address">{who}</span>
          {name !== "" && <span className="soft address">{address}</span>}
          {isBlocked && <span className="state state-bad">{t.blocked}</span>}
        </div>
        <p className="hint">{t.countsAndSeen(received, sent, <TimeSince at={lastSeenAt} />)}</p>
      </div>
      <div className="contact-actions">
        {!isBlocked && (
          <CopyButton
            text={reverseAddress}
            what={t.reverseOf(who)}
            label={t.copyReverse}
            fullLabel={t.copyReverseOf(who)}
          />
        )}
        <Button look="quiet" aria-label={t.renameWhat(who)} onClick={() => setAsked("rename")}>
          {t.rename}
        </Button>
        <Button
          look="quiet"
          aria-label={isBlocked ? t.unblockWhat(who) : t.blockWhat(who)}
          onClick={() => change.mutate({ id, isBlocked: !isBlocked })}
          isPending={change.isPending}
        >
          {isBlocked ? t.unblock : t.block}
        </Button>
        <Button look="quiet" aria-label={t.removeWhat(who)} onClick={() => setAsked("remove")}>
          {t.remove}
        </Button>
      </div>
      <Fault error={change.error} />
      <RenameContact contact={contact} isOpen={asked === "rename"} onClose={close} />
      <ConfirmDialog
        title={t.removeTitle}
        action={t.removeAction}
        isOpen={asked === "remove"}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={close}
      >
        <p>{t.removeLead(<strong className="address">{who}</strong>)}</p>
      </ConfirmDialog>
    </li>
  );
}
