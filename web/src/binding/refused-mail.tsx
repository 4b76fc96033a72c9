import type { BindingFragment } from "../graph/gen/operations.ts";
import { DateTime } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Mail that was rejected since nobody would have got it. */
export function RefusedMail({ binding: { refusedEmails, lastRefusal } }: { binding: BindingFragment }) {
  const { binding: t } = useTexts();
  if (refusedEmails === 0 || !lastRefusal) return null;
  const { at, reason } = lastRefusal;
  return (
    <p className="hint">
      {t.refused(refusedEmails, <DateTime at={at} />, t.refusals[reason] ?? reason.replaceAll("-", " "))}
    </p>
  );
}
