const short = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const precise = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const timeOnly = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

interface MomentProps {
  /** ISO 8601, UTC. */
  at: string;
  /** Today's by its time alone. */
  isBrief?: boolean;
  /** With seconds, where one follows the other. */
  isPrecise?: boolean;
}

/** A moment in the reader's zone and manner. */
export function Moment({ at, isBrief = false, isPrecise = false }: MomentProps) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const format = isPrecise ? precise : isBrief && isToday ? timeOnly : short;
  return (
    <time dateTime={at} title={full.format(date)}>
      {format.format(date)}
    </time>
  );
}
