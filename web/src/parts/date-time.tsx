import { useSyncExternalStore } from "react";
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

interface DateTimeProps {
  /** ISO 8601, UTC. */
  at: string;
  /** Today's by its time alone. */
  isBrief?: boolean;
  /** With seconds, where one follows the other. */
  isPrecise?: boolean;
}

/** A date and time in the reader's zone and manner. */
export function DateTime({ at, isBrief = false, isPrecise = false }: DateTimeProps) {
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
  const now = useNow();
  const date = new Date(at);
  const seconds = Math.max(0, Math.round((date.getTime() - now) / 1_000));
  const [unit, length] = units.find(([, unitS]) => seconds >= unitS) ?? ["second", 1];
  return (
    <time dateTime={at} title={formatOf(locale, "full").format(date)}>
      {relativeOf(locale).format(Math.round(seconds / length), unit)}
    </time>
  );
}

const longUnits = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ...units] as const;

/** How long ago: "4 min ago", "yesterday". */
export function TimeSince({ at }: { at: string }) {
  const { locale } = useSpeech();
  const now = useNow();
  const date = new Date(at);
  const seconds = Math.max(0, Math.round((now - date.getTime()) / 1_000));
  const [unit, length] = longUnits.find(([, unitS]) => seconds >= unitS) ?? ["second", 1];
  return (
    <time dateTime={at} title={formatOf(locale, "full").format(date)}>
      {relativeOf(locale).format(-Math.floor(seconds / length), unit)}
    </time>
  );
}

const relatives = new Map<string, Intl.RelativeTimeFormat>();

function relativeOf(locale: string): Intl.RelativeTimeFormat {
  const format = relatives.get(locale) ?? new Intl.RelativeTimeFormat(locale, { style: "short", numeric: "auto" });
  relatives.set(locale, format);
  return format;
}

let now = Date.now();
const clocks = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of a page. */
function listenToClock(listener: () => void): () => void {
  clocks.add(listener);
  now = Date.now();
  clock ??= setInterval(() => {
    now = Date.now();
    for (const each of clocks) each();
  }, tickMs);
  return () => {
    clocks.delete(listener);
    if (clocks.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

/** The time in milliseconds, anew every few seconds. */
function useNow(): number {
  return useSyncExternalStore(listenToClock, () => now);
}
