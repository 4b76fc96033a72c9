import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { MailRow } from "./mail-row.tsx";
import type { ListedEmail } from "./use-mail.ts";

interface MailListProps {
  name: string;
  emails: readonly ListedEmail[];
  hasMore: boolean;
  onMore(): void;
  /** Whether rows say which address they came to. */
  isWithAddress: boolean;
  /** What stands before a row, such as a box to select it. */
  before?: (email: ListedEmail) => ReactNode;
}

/** About as high as a row is, in pixels; each is measured once it is shown. */
const rowHeight = 68;
/** So many rows before the end the next page is asked for. */
const ahead = 10;

/** However much is loaded, the rows on the screen and some around them are in the page. */
export function MailList({ name, emails, hasMore, onMore, isWithAddress, before }: MailListProps) {
  const list = useRef<HTMLUListElement>(null);
  const rows = useWindowVirtualizer({
    count: emails.length,
    estimateSize: () => rowHeight,
    overscan: ahead,
    getItemKey: (index) => emails[index]?.id ?? index,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const isNearEnd = emails.length > 0 && last >= emails.length - ahead;
  useEffect(() => {
    if (hasMore && isNearEnd) onMore();
  }, [hasMore, isNearEnd, onMore]);
  const start = (shown[0]?.start ?? 0) - rows.options.scrollMargin;
  return (
    <ul ref={list} className="mails" aria-label={name} style={{ height: rows.getTotalSize() }}>
      {shown.map(({ index, key }, place) => {
        const email = emails[index];
        return (
          email && (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="mail"
              // The others are where these say that they are.
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : emails.length}
              style={place === 0 ? { marginTop: Math.max(0, start) } : undefined}
            >
              {before?.(email)}
              <MailRow email={email} isWithAddress={isWithAddress} />
            </li>
          )
        );
      })}
    </ul>
  );
}
