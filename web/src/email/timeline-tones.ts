type Tone = "good" | "bad" | "waiting" | "plain";

const tones: Readonly<Record<string, Tone>> = {
  accepted: "good",
  held: "waiting",
  skipped_unverified: "waiting",
  skipped_suspended: "bad",
  stored: "good",
  partly_unreadable: "waiting",
  not_kept: "waiting",
  truncated: "waiting",
  forwarded: "good",
  sent: "good",
  deferred: "waiting",
  bounced: "bad",
  complained: "bad",
  given_up: "bad",
  called_back: "good",
  callback_deferred: "waiting",
  callback_given_up: "bad",
};

/** How a kind of timeline entry looks. */
export function toneOf(kind: string): Tone {
  return tones[kind] ?? "plain";
}
