import type { Texts } from "../english/index.ts";
import { count } from "./count.ts";

const kinds: Readonly<Record<string, string>> = {
  "email.arrived": "Eine E-Mail ist angekommen",
  "delivery.settled": "Eine Zustellung ist beendet",
  "delivery.bounced": "Eine E-Mail war unzustellbar",
  "address.made": "Eine Adresse wurde erstellt",
  "address.removed": "Eine Adresse wurde entfernt",
};
const offReasons: Readonly<Record<string, string>> = {
  gone: "Er hat geantwortet, dass es ihn nicht mehr gibt (410).",
  failing: "Er hat tagelang nichts angenommen.",
};

export const webhooks: Texts["webhooks"] = {
  title: "Webhooks",
  what: "Ihr Webhook",
  lead: "Eine URL für das ganze Konto, die aufgerufen wird, wenn etwas geschieht. Daneben kann jede Adresse in ihren Einstellungen einen Webhook für ihre E-Mails haben.",
  testEndpoints: "Test-Endpunkte",
  url: "URL",
  urlHint: (secret) => <>Wird mit POST aufgerufen, signiert mit Ihrem {secret}.</>,
  secret: "Webhook-Schlüssel",
  which: "Wofür sie aufgerufen wird",
  kinds,
  test: "Test senden",
  removeThis: "Webhook entfernen",
  removeTitle: "Webhook entfernen?",
  removeAction: "Entfernen",
  removeLead:
    "Was noch nicht zugestellt ist, wird nicht mehr gesendet, und auch danach nichts, bis Sie wieder eine URL angeben.",
  saved: "Gespeichert.",
  switchOn: "Wieder einschalten",
  off: (at) => <>Ausgeschaltet {at}.</>,
  offReasons,
  calls: "Gesendete Ereignisse",
  ofState: "Zustand",
  views: { any: "Alle Ereignisse", waiting: "Wartend", failed: "Fehlgeschlagen", delivered: "Zugestellt" },
  noCalls: "Es wurde noch nichts gesendet.",
  noneSuch: "Es gibt keine solchen Ereignisse.",
  body: "Gesendeter Inhalt",
  retry: "Erneut senden",
  retryWhat: (what) => `Erneut senden: ${what}`,
  retryAll: (number) => `${count(number, "fehlgeschlagenes Ereignis", "fehlgeschlagene Ereignisse")} erneut senden`,
  sentAgain: (number) => `${count(number, "Ereignis wird", "Ereignisse werden")} erneut gesendet.`,
};
