/** What may have happened to an email. The graph names them all, and the web application has words for each. Exported for tests. */
export const timelineKinds = [
  "accepted",
  "held",
  "skipped_unverified",
  "skipped_switched_off",
  "skipped_suspended",
  "stored",
  "partly_unreadable",
  "truncated",
  "not_kept",
  "discarded",
  "rule_applied",
  "forwarded",
  "sent",
  "deferred",
  "given_up",
  "bounced",
  "complained",
  "cancelled",
  "called_back",
  "callback_deferred",
  "callback_given_up",
  "callback_cancelled",
] as const;

export type TimelineKind = (typeof timelineKinds)[number];

/** What ends a delivery well. */
export const successes: ReadonlySet<TimelineKind> = new Set(["forwarded", "sent", "called_back"]);
