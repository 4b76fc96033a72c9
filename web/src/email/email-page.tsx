import { useState } from "react";
import { Link, useLocation } from "wouter";
import { DeleteEmail, Email, type EmailQuery, Inbox } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { NotFoundPage } from "../not-found-page.tsx";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Expander } from "../parts/expander.tsx";
import { Loading } from "../parts/loading.tsx";
import { Moment } from "../parts/moment.tsx";
import { Fault } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { Attachments } from "./attachments.tsx";
import { Headers } from "./headers.tsx";
import { Journey } from "./journey.tsx";
import { MessageBody } from "./message-body.tsx";
import { Source } from "./source.tsx";

export type ShownEmail = NonNullable<EmailQuery["receivedEmail"]>;

/** The ends of its deliveries are not told by the server as they come: they are looked for while there is one to come. */
const lookMs = 2_000;

/** One email: what it says, and what became of it. */
export function EmailPage({ id }: { id: string }) {
  const { data, error, missing } = useGraph(Email, { id }, (last) => isUnderWay(last?.receivedEmail) && lookMs);
  const email = data?.receivedEmail;
  if (isRefusal(error, "NotFound")) return <NotFoundPage />;
  if (email) return <Shown email={email} missing={missing} />;
  if (!error) return <Loading what="Loading the mail" />;
  return (
    <Page title="Mail">
      <Fault error={error} />
    </Page>
  );
}

function isUnderWay(email: ShownEmail | null | undefined): boolean {
  const outcomes = [...(email?.deliveries ?? []), ...(email?.callback ? [email.callback] : [])];
  return email?.isProcessed === false || outcomes.some(({ state }) => state === "waiting");
}

function Shown({ email, missing }: { email: ShownEmail; missing: readonly string[] }) {
  const { binding, sender, recipient, receivedAt, attachments, headers, sourceUrl, isTruncated } = email;
  return (
    <Page title={email.subject || "(no subject)"} actions={<Removal email={email} />}>
      <dl className="envelope">
        <dt>From</dt>
        <dd className="address">{sender || "(a bounce: nobody to answer to)"}</dd>
        <dt>To</dt>
        <dd className="address">{binding ? <Link href={`/addresses/${binding.id}`}>{recipient}</Link> : recipient}</dd>
        <dt>Arrived</dt>
        <dd>
          <Moment at={receivedAt} />
        </dd>
      </dl>
      <MessageBody email={email} />
      {isTruncated && <p className="hint">This mail is too long to show in full. Its source has all of it.</p>}
      {attachments && attachments.length > 0 && <Attachments attachments={attachments} />}
      <Journey
        email={email}
        // Where there is no callback URL it is null as well.
        isCallbackMissing={missing.some((path) => path.startsWith("receivedEmail.callback"))}
      />
      <Expander title="Headers">
        <Headers headers={headers ?? []} />
      </Expander>
      <Expander title="Source">
        <Source url={sourceUrl} />
      </Expander>
    </Page>
  );
}

function Removal({ email: { id, binding } }: { email: ShownEmail }) {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const leave = () => navigate(binding ? `/addresses/${binding.id}` : "/", { replace: true });
  const removal = useChange(DeleteEmail, [Inbox], leave);
  return (
    <>
      <Button onPress={() => setIsAsking(true)}>Delete</Button>
      <ConfirmDialog
        title="Delete this mail?"
        action="Delete the mail"
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <p>Its content and attachments are deleted here. What was forwarded already stays where it went.</p>
      </ConfirmDialog>
    </>
  );
}
