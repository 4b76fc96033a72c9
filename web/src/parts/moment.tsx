import { useEffect, useState } from "react";
import { useSpeech } from "../texts/texts.tsx";

const manners = {
  short: { dateStyle: "medium", timeStyle: "short" },
  precise: { dateStyle: "medium", timeStyle: "medium" },
  full: { dateStyle: "full", timeStyle: "long" },
  timeOnly: { timeStyle: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once for each locale: making one takes longer than all that it formats. */
function formatOf(locale: string, manner: keyof typeof manners): Intl.DateTimeFormat {
  const key = `${locale} ${manner}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, manners[manner]);
  formats.set(key, format);
  return format;
}

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
  const { locale } = useSpeech();
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const manner = isPrecise ? "precise" : isBrief && isToday ? "timeOnly" : "short";
  return (
    <time dateTime={at} title={formatOf(locale, "full").format(date)}>
      {formatOf(locale, manner).format(date)}
    </time>
  );
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;
const tickMs = 10_000;

/** How long until then: "in 4 min". */
export function TimeUntil({ at }: { at: string }) {
  const { locale } = useSpeech();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  const seconds = Math.max(0, Math.round((date.getTime() - now) / 1_000));
  const [unit, length] = units.find(([, unitS]) => seconds >= unitS) ?? ["second", 1];
  const relative = new Intl.RelativeTimeFormat(locale, { style: "short", numeric: "auto" });
  return (
    <time dateTime={at} title={formatOf(locale, "full").format(date)}>
      {relative.format(Math.round(seconds / length), unit)}
    </time>
  );
}
