import { Link } from "wouter";
import type { InboxQuery } from "../graph/gen/operations.ts";
import { Moment } from "../parts/moment.tsx";
import { useTexts } from "../texts/texts.tsx";

type Listed = NonNullable<NonNullable<InboxQuery["proxyBinding"]>["emails"]>["nodes"][number];

export function EmailRow({ email: { id, sender, subject, attachments, isProcessed, receivedAt } }: { email: Listed }) {
  const { inbox: t } = useTexts();
  const count = attachments?.length ?? 0;
  return (
    <li className="email-row">
      <Link href={`/emails/${id}`} className="email-link">
        <span className="email-subject">{subject || t.noSubject}</span>
        <span className="email-sender">{sender || t.bounce}</span>
        <span className="email-notes">
          {count > 0 && <span className="badge">{t.attachments(count)}</span>}
          {!isProcessed && <span className="state state-waiting">{t.onItsWay}</span>}
          <Moment at={receivedAt} isBrief />
        </span>
      </Link>
    </li>
  );
}
