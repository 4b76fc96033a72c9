import { Me, ResendConfirmation } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { useAccount } from "./account.tsx";

/** Stands over every page until the account's own address is confirmed. */
export function ConfirmationBar() {
  const { username, isUsernameVerified } = useAccount();
  const resend = useChange(ResendConfirmation, [Me]);
  if (isUsernameVerified) return null;
  return (
    <aside className="bar" aria-label="Your address is not confirmed">
      <p>
        <strong>Confirm your address.</strong> Mail is forwarded to {username} once you have opened the link that we
        sent there.
      </p>
      {resend.isSuccess ? (
        <p role="status">Sent again.</p>
      ) : (
        <Button onPress={() => resend.mutate({})} isPending={resend.isPending}>
          Send the link again
        </Button>
      )}
      <Fault error={resend.error} />
    </aside>
  );
}
