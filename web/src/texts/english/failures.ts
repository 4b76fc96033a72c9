import { count, figure } from "./count.ts";

export const failures = {
  list: "Undelivered email",
  what: "What failed",
  views: { any: "All", failed: "Failed", retrying: "Retrying", held: "On hold" } as Readonly<Record<string, string>>,
  reason: "Reason",
  anyReason: "Any reason",
  period: "Received",
  periods: { "": "At any time", day: "In the last 24 hours", week: "In the last 7 days", month: "In the last 30 days" },
  noneFits: "Nothing failed that matches.",
  none: "Nothing failed",
  noneHint: "Email that could not be delivered, or is being retried, appears here.",
  choose: (who: string, subject: string) => `Select ${who}: ${subject}`,
  retryChosen: (number: number) => `Retry ${figure(number)} selected`,
  retryAll: (number: number | undefined) => {
    if (number === undefined) return "Retry all now";
    return number === 1 ? "Retry it now" : `Retry all ${figure(number)} now`;
  },
  nothingToRetry: "There is nothing left to retry.",
  retried: (number: number) => `${count(number, "delivery is", "deliveries are")} being retried.`,
};
