export type Tone = "good" | "bad" | "waiting" | "plain";

interface Words {
  /** What happened, in a person's words. */
  said: string;
  tone: Tone;
}

const kinds: Readonly<Record<string, Words>> = {
  accepted: { said: "Arrived", tone: "good" },
  held: { said: "Waits until the address is confirmed", tone: "waiting" },
  stored: { said: "Kept to read", tone: "good" },
  partly_unreadable: { said: "Read in part", tone: "waiting" },
  not_kept: { said: "Not kept", tone: "waiting" },
  truncated: { said: "Too long to keep in full", tone: "waiting" },
  forwarded: { said: "Forwarded", tone: "good" },
  sent: { said: "Answer sent", tone: "good" },
  deferred: { said: "Put off", tone: "waiting" },
  bounced: { said: "Came back", tone: "bad" },
  given_up: { said: "Given up", tone: "bad" },
  cancelled: { said: "Called off", tone: "plain" },
  called_back: { said: "Called back", tone: "good" },
  callback_deferred: { said: "Callback put off", tone: "waiting" },
  callback_given_up: { said: "Callback given up", tone: "bad" },
  callback_cancelled: { said: "Callback called off", tone: "plain" },
};

/** What a kind of timeline entry means; one that this version does not know says its own name. */
export function wordsOf(kind: string): Words {
  return kinds[kind] ?? { said: kind.replaceAll("_", " "), tone: "plain" };
}
