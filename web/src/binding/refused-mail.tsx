import type { BindingFragment } from "../graph/gen/operations.ts";
import { Moment } from "../parts/moment.tsx";

/** Why mail is refused, by the graph's reasons. */
const reasons: Readonly<Record<string, string>> = {
  "account-disabled": "this account was disabled",
  "switched-off": "no address that it goes to is switched on",
  suspended: "each address that it goes to was switched off after it refused mail for good",
};

/** Mail that was turned away since nobody would have got it. */
export function RefusedMail({ binding: { refusedEmails, lastRefusal } }: { binding: BindingFragment }) {
  if (refusedEmails === 0 || !lastRefusal) return null;
  const { at, reason } = lastRefusal;
  return (
    <p className="hint">
      {refusedEmails === 1 ? "1 mail was" : `${refusedEmails} mails were`} turned away, last <Moment at={at} />:{" "}
      {reasons[reason] ?? reason.replaceAll("-", " ")}.
    </p>
  );
}
