import type { ReactNode } from "react";
import { useVirtualRows } from "../parts/use-virtual-rows.ts";
import { MailRow } from "./mail-row.tsx";
import type { ListedEmail } from "./use-mail.ts";

interface MailListProps {
  name: string;
  emails: readonly ListedEmail[];
  hasMore: boolean;
  onMore(): void;
  /** Whether rows say which address they came to; one with a tag they say in any case. */
  isWithAddress: boolean;
  /** Whether rows say why the email failed, rather than how it begins. */
  isWithReason?: boolean;
  /** What stands before a row, such as a box to select it. */
  before?: (email: ListedEmail) => ReactNode;
}

/** However much is loaded, the rows on the screen and some around them are in the page. */
export function MailList({
  name,
  emails,
  hasMore,
  onMore,
  isWithAddress,
  isWithReason = false,
  before,
}: MailListProps) {
  const shown = useVirtualRows({
    items: emails,
    keyOf: ({ id }) => id,
    rowPx: 68,
    onNearEnd: () => {
      if (hasMore) onMore();
    },
  });
  return (
    <ul
      ref={shown.ref}
      className="mails"
      aria-label={name}
      style={{ paddingBlock: `${shown.before}px ${shown.after}px` }}
    >
      {shown.rows.map(({ index, item: email }) => (
        <li
          key={email.id}
          ref={shown.measure}
          data-index={index}
          className="mail"
          // The others are where these say that they are.
          aria-posinset={index + 1}
          aria-setsize={hasMore ? -1 : emails.length}
        >
          {before?.(email)}
          <MailRow email={email} isWithAddress={isWithAddress} isWithReason={isWithReason} />
        </li>
      ))}
    </ul>
  );
}
