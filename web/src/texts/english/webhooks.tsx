import type { ReactNode } from "react";
import { count } from "./count.ts";

const kinds: Readonly<Record<string, string>> = {
  "email.arrived": "An email arrived",
  "delivery.settled": "A delivery ended",
  "delivery.bounced": "A delivery bounced",
  "address.made": "An address was created",
  "address.removed": "An address was removed",
};
const offReasons: Readonly<Record<string, string>> = {
  gone: "It answered that it is gone (410).",
  failing: "It accepted nothing for days.",
};

export const webhooks = {
  title: "Webhooks",
  what: "Your webhook",
  lead: "One URL for the whole account that is called when something happens. Each address can have a webhook for its email as well, under its settings.",
  testEndpoints: "Test endpoints",
  url: "URL",
  urlHint: (secret: ReactNode) => <>Called by POST, signed with your {secret}.</>,
  secret: "webhook secret",
  which: "What it is called for",
  kinds,
  test: "Send a test",
  removeThis: "Remove the webhook",
  removeTitle: "Remove the webhook?",
  removeAction: "Remove webhook",
  removeLead:
    "Events that haven't been delivered yet are not sent any more, and nothing is sent until you set a URL again.",
  saved: "Saved.",
  switchOn: "Switch on again",
  off: (at: ReactNode) => <>Switched off {at}.</>,
  offReasons,
  calls: "Events sent",
  ofState: "State",
  views: { any: "All events", waiting: "Waiting", failed: "Failed", delivered: "Delivered" } as Record<string, string>,
  noCalls: "Nothing was sent yet.",
  noneSuch: "There are no such events.",
  body: "Body sent",
  retry: "Send again",
  retryWhat: (what: string) => `Send again: ${what}`,
  retryAll: (number: number) => `Send ${count(number, "failed event", "failed events")} again`,
  sentAgain: (number: number) => `${count(number, "event is", "events are")} sent again.`,
};
