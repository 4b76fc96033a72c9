import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { DeleteEmail, Email, type EmailQuery, Mail, MarkEmails } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { useLeftOut } from "../inbox/use-mail.ts";
import { NotFoundPage } from "../not-found-page.tsx";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { Expander } from "../parts/expander.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { toast } from "../parts/toasts.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Attachments } from "./attachments.tsx";
import { BlockSender } from "./block-sender.tsx";
import { useCameFrom } from "./came-from.ts";
import { CodesAndLinks } from "./codes-and-links.tsx";
import { DeliverySection } from "./delivery-section.tsx";
import { EmailNavigation } from "./email-navigation.tsx";
import { Headers } from "./headers.tsx";
import { lookAgainMs, lookMs } from "./look-again.ts";
import { MessageBody } from "./message-body.tsx";
import { Reply } from "./reply.tsx";
import { Source } from "./source.tsx";
import { recipientOf, subjectOf } from "./summary.ts";

export type ShownEmail = NonNullable<EmailQuery["receivedEmail"]>;

/** One email: what it says, and what became of it. */
export function EmailPage({ id }: { id: string }) {
  const { email: t } = useTexts();
  const { data, error, missing, refetch } = useGraph(Email, { id }, (last) => nextLookMs(last?.receivedEmail));
  const email = data?.receivedEmail;
  const { mutate: mark } = useChange(MarkEmails, [Mail]);
  const isUnread = email?.isUnread ?? false;
  useEffect(() => {
    if (isUnread) mark({ ids: [id], isUnread: false });
  }, [id, isUnread, mark]);
  if (isRefusal(error, "NotFound")) return <NotFoundPage />;
  if (email) return <Shown email={email} missing={missing} />;
  if (!error) return <Loading what={t.loading} />;
  return (
    <Page title={t.title}>
      <Fault error={error} onRetry={refetch} />
    </Page>
  );
}

/** While it is read, and while something of it is under way. */
function nextLookMs(email: ShownEmail | null | undefined): number | false {
  const outcomes = [...(email?.deliveries ?? []), ...(email?.callback ? [email.callback] : [])];
  return lookAgainMs(outcomes) || (email?.isProcessed === false && lookMs);
}

function Shown({ email, missing }: { email: ShownEmail; missing: readonly string[] }) {
  const texts = useTexts();
  const t = texts.email;
  const { binding, sender, fromName, fromAddress, receivedAt, attachments, headers, sourceUrl, isTruncated } = email;
  const to = recipientOf(email);
  return (
    <Page
      title={subjectOf(email, texts.inbox)}
      isTitleCut
      before={<EmailNavigation email={email} />}
      actions={<Actions email={email} />}
    >
      <div className="envelope-frame">
        <dl className="envelope">
          <dt>{t.from}</dt>
          <dd>
            {fromName && <bdi className="author">{fromName}</bdi>}{" "}
            <bdi className="address">{fromAddress || sender || t.bounceSender}</bdi>
          </dd>
          {fromAddress !== null && fromAddress !== sender && sender !== "" && (
            <>
              <dt>{t.envelopeSender}</dt>
              <dd className="address">{sender}</dd>
            </>
          )}
          <dt>{t.to}</dt>
          <dd className="address">{binding ? <Link href={`/addresses/${binding.id}`}>{to}</Link> : to}</dd>
          <dt>{t.received}</dt>
          <dd>
            <DateTime at={receivedAt} />
          </dd>
        </dl>
      </div>
      <CodesAndLinks email={email} />
      <MessageBody email={email} />
      {isTruncated && <p className="hint">{t.truncated}</p>}
      {attachments && attachments.length > 0 && <Attachments attachments={attachments} />}
      <DeliverySection
        email={email}
        // Where there is no callback URL it is null as well.
        isCallbackMissing={missing.some((path) => path.startsWith("receivedEmail.callback"))}
      />
      <Expander title={t.headers}>
        <Headers headers={headers ?? []} />
      </Expander>
      <Expander title={t.source}>
        <Source url={sourceUrl} />
      </Expander>
    </Page>
  );
}

function Actions({ email }: { email: ShownEmail }) {
  return (
    <>
      <Reply email={email} />
      <BlockSender email={email} />
      <Removal email={email} />
    </>
  );
}

function Removal({ email: { id } }: { email: ShownEmail }) {
  const texts = useTexts();
  const t = texts.email;
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const { from } = useCameFrom();
  const leaveOut = useLeftOut();
  const leave = () => {
    leaveOut(id);
    toast(t.deleted);
    navigate(from, { replace: true });
  };
  const removal = useChange(DeleteEmail, [Mail], leave);
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{texts.common.delete}</Button>
      <ConfirmDialog
        title={t.deleteTitle}
        action={t.deleteAction}
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <p>{t.deleteLead}</p>
      </ConfirmDialog>
    </>
  );
}
