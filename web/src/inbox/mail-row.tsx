import { Paperclip } from "lucide-react";
import { Link } from "wouter";
import { useHere } from "../email/came-from.ts";
import { otherRecipientOf, recipientOf, subjectOf, whoOf } from "../email/summary.ts";
import { DateTime } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";
import { OutcomeNote, reasonsOf } from "./outcome-note.tsx";
import type { ListedEmail } from "./use-mail.ts";

interface MailRowProps {
  email: ListedEmail;
  isWithAddress: boolean;
  /** Whether it says why it failed, rather than how it begins. */
  isWithReason: boolean;
}

/** Who wrote, about what, how it begins, and how far it is. */
export function MailRow({ email, isWithAddress, isWithReason }: MailRowProps) {
  const { inbox: t } = useTexts();
  const { id, attachments, receivedAt, direction, isUnread } = email;
  const here = useHere();
  const isWithRecipient = isWithAddress || otherRecipientOf(email) !== undefined;
  const preview = isWithReason ? reasonsOf(email, t) : email.preview;
  const count = attachments?.length ?? 0;
  return (
    <Link href={`/emails/${id}`} state={here} className={`mail-link ${isUnread ? "mail-unread" : ""}`}>
      <span className="mail-who">
        {isUnread && <span className="mail-dot" title={t.unread} />}
        {isUnread && <span className="visually-hidden">{t.unreadMark}</span>}
        <bdi>{whoOf(email, t)}</bdi>
        {direction !== "FORWARD" && <span className="badge">{t.sent}</span>}
      </span>
      <span className={isWithReason ? "mail-what mail-what-failed" : "mail-what"}>
        <bdi className="mail-subject" dir="auto">
          {subjectOf(email, t)}
        </bdi>
        {/* For those that read it out: on the screen it is the gap. */}
        {preview && " "}
        {preview && (
          <bdi className="mail-preview" dir="auto">
            {preview}
          </bdi>
        )}
      </span>
      <span className="mail-notes">
        {isWithRecipient && <bdi className="mail-address">{recipientOf(email)}</bdi>}
        {count > 0 && (
          <span className="mail-count">
            <Paperclip className="icon" aria-hidden="true" />
            {t.attachments(count)}
          </span>
        )}
        <OutcomeNote email={email} />
        <DateTime at={receivedAt} isBrief />
      </span>
    </Link>
  );
}
