import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { subjectOf, whoOf } from "../email/summary.ts";
import { ask } from "../graph/ask.ts";
import { Notices as NoticesOperation, type NoticesQuery } from "../graph/gen/operations.ts";
import { useUnseenArrivals } from "../live/live.tsx";
import { useTexts } from "../texts/texts.tsx";
import { show } from "./notice-setting.ts";

/** A failure is no event of its own. */
const pollMs = 60_000;
/** More at once are one notice. */
const mostAtOnce = 3;

type Listed = NonNullable<NoticesQuery["arrived"]>["nodes"][number];

/** What was there already. */
interface Known {
  /** Ids are in order of time. */
  newestId: string;
  failedIds: ReadonlySet<string>;
}

/** Tells who is not looking at the page, through the browser, of new email and of what failed: who wrote and the subject, nothing else of it. */
export function Notices() {
  const { notices: t, inbox } = useTexts();
  const [, navigate] = useLocation();
  const known = useRef<Known>(undefined);
  const lookUp = async (isTold: boolean) => {
    const { data } = await ask(NoticesOperation, {});
    const arrived = data.arrived?.nodes ?? [];
    const failed = data.failed?.nodes ?? [];
    const former = known.current;
    known.current = {
      newestId: [arrived[0]?.id ?? "", former?.newestId ?? ""].sort().at(-1) ?? "",
      failedIds: new Set([...(former?.failedIds ?? []), ...failed.map(({ id }) => id)]),
    };
    if (!former || !isTold) return;
    const open = (path: string) => {
      window.focus();
      navigate(path);
    };
    tell(
      arrived.filter(({ id }) => id > former.newestId),
      (count) => t.arrived(count),
      (path) => open(path ?? "/inbox"),
      (email) => [`arrived-${email.id}`, whoOf(email, inbox), subjectOf(email, inbox)],
    );
    tell(
      failed.filter(({ id }) => !former.failedIds.has(id)),
      (count) => t.failed(count),
      (path) => open(path ?? "/failures"),
      (email) => [`failed-${email.id}`, t.failed(1), `${whoOf(email, inbox)}: ${subjectOf(email, inbox)}`],
    );
  };
  const look = useRef(lookUp);
  // What cannot be had now is told with the next look.
  look.current = (isTold) => lookUp(isTold).catch(() => undefined);
  useUnseenArrivals(() => void look.current(true));
  useEffect(() => {
    // What came while somebody looked is nothing to be told once nobody does.
    const catchUp = () => void look.current(false);
    catchUp();
    window.addEventListener("blur", catchUp);
    const timer = setInterval(() => {
      if (!document.hasFocus()) void look.current(true);
    }, pollMs);
    return () => {
      window.removeEventListener("blur", catchUp);
      clearInterval(timer);
    };
  }, []);
  return null;
}

function tell(
  emails: readonly Listed[],
  inAll: (count: number) => string,
  open: (path: string | undefined) => void,
  wordsOf: (email: Listed) => [tag: string, title: string, body: string],
): void {
  if (emails.length > mostAtOnce) {
    onClick(show(inAll(emails.length), inAll(emails.length), ""), () => open(undefined));
    return;
  }
  for (const email of emails) onClick(show(...wordsOf(email)), () => open(`/emails/${email.id}`));
}

function onClick(notice: Notification | undefined, act: () => void): void {
  notice?.addEventListener("click", () => {
    notice.close();
    act();
  });
}
