import type { ShownCountsFragment } from "../graph/gen/operations.ts";
import { useSpeech } from "../texts/texts.tsx";
import { type Day, lastDays } from "./last-days.ts";

const shownDays = 30;
const heightPx = 56;
const stepPx = 10;
const barPx = 7;

/** Email of the last days, a bar a day: what failed in it in another colour, and all of it in words. */
export function MailChart({ counts: { days } }: { counts: ShownCountsFragment }) {
  const { texts, locale } = useSpeech();
  const { charts: t } = texts;
  const shown = lastDays(days, shownDays, new Date());
  const highest = Math.max(...shown.map(({ received }) => received), 1);
  const received = shown.reduce((sum, day) => sum + day.received, 0);
  const failed = shown.reduce((sum, day) => sum + day.failed, 0);
  if (received === 0) return null;
  return (
    <figure className="chart">
      <figcaption className="hint">{t.summary(received, failed, shownDays)}</figcaption>
      <svg
        viewBox={`0 0 ${shownDays * stepPx} ${heightPx}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.chart(received, failed, shownDays)}
      >
        {shown.map((day, index) => (
          <Bar key={day.day} day={day} x={index * stepPx} pxPerEmail={heightPx / highest} locale={locale} />
        ))}
      </svg>
    </figure>
  );
}

interface BarProps {
  day: Day;
  x: number;
  pxPerEmail: number;
  locale: string;
}

function Bar({ day: { day, received, failed }, x, pxPerEmail, locale }: BarProps) {
  const { texts } = useSpeech();
  // A day without email is a line, so that one sees that it was counted.
  const allPx = Math.max(received * pxPerEmail, 1);
  const failedPx = failed * pxPerEmail;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
  return (
    <g>
      <title>{texts.charts.day(date, received, failed)}</title>
      <rect className="chart-bar" x={x} y={heightPx - allPx} width={barPx} height={allPx} rx={1} />
      {failed > 0 && (
        <rect className="chart-failed" x={x} y={heightPx - failedPx} width={barPx} height={failedPx} rx={1} />
      )}
    </g>
  );
}
