const short = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const timeOnly = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** A moment in the reader's zone and manner; today's by its time alone where `isBrief`. @param at ISO 8601, UTC */
export function Moment({ at, isBrief = false }: { at: string; isBrief?: boolean }) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={full.format(date)}>
      {(isBrief && isToday ? timeOnly : short).format(date)}
    </time>
  );
}
