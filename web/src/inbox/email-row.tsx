import { Link } from "wouter";
import type { InboxQuery } from "../graph/gen/operations.ts";
import { Moment } from "../parts/moment.tsx";

type Listed = NonNullable<NonNullable<InboxQuery["proxyBinding"]>["emails"]>["nodes"][number];

export function EmailRow({ email: { id, sender, subject, attachments, isProcessed, receivedAt } }: { email: Listed }) {
  const count = attachments?.length ?? 0;
  return (
    <li className="email-row">
      <Link href={`/emails/${id}`} className="email-link">
        <span className="email-subject">{subject || "(no subject)"}</span>
        <span className="email-sender">{sender || "(a bounce)"}</span>
        <span className="email-notes">
          {count > 0 && <span className="badge">{count === 1 ? "1 attachment" : `${count} attachments`}</span>}
          {!isProcessed && <span className="state state-waiting">On its way</span>}
          <Moment at={receivedAt} isBrief />
        </span>
      </Link>
    </li>
  );
}
