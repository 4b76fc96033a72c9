import { Me, ResendConfirmation } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { useAccount } from "./account.tsx";

/** Stands over every page until the account's own address is confirmed. */
export function ConfirmationBar() {
  const { session } = useTexts();
  const { username, isUsernameVerified } = useAccount();
  const resend = useChange(ResendConfirmation, [Me]);
  if (isUsernameVerified) return null;
  return (
    <aside className="bar" aria-label={session.notConfirmed}>
      <p>
        <strong>{session.confirmTitle}</strong> {session.confirmLead(username)}
      </p>
      {resend.isSuccess ? (
        <p role="status">{session.resent}</p>
      ) : (
        <Button onClick={() => resend.mutate({})} isPending={resend.isPending}>
          {session.resendLink}
        </Button>
      )}
      <Fault error={resend.error} />
    </aside>
  );
}
