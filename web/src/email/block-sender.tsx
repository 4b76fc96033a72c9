import { useState } from "react";
import { BlockSender as Block, Rules } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { toast } from "../parts/toasts.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";

/** Refuses what the author of an email writes from now on, here or at all addresses. */
export function BlockSender({ email: { id, fromAddress, sender, direction } }: { email: ShownEmail }) {
  const { email: t } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const [scope, setScope] = useState<"BINDING" | "ACCOUNT">("BINDING");
  const author = fromAddress || sender;
  const block = useChange(Block, [Rules], () => {
    setIsAsking(false);
    toast(t.senderBlocked(author));
  });
  if (direction !== "FORWARD" || author === "") return null;
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{t.blockSender}</Button>
      <ConfirmDialog
        title={t.blockSenderTitle}
        action={t.blockSender}
        isOpen={isAsking}
        isPending={block.isPending}
        error={block.error}
        onConfirm={() => block.mutate({ emailId: id, scope })}
        onClose={() => setIsAsking(false)}
      >
        <p>{t.blockSenderLead(<bdi className="address">{author}</bdi>)}</p>
        <Choice label={t.blockScope} options={t.blockScopes} value={scope} onChange={(chosen) => setScope(chosen)} />
      </ConfirmDialog>
    </>
  );
}
