import type { Texts } from "../english/index.ts";
import { count, figure } from "./count.ts";

export const failures: Texts["failures"] = {
  list: "Nicht zugestellte E-Mails",
  what: "Was fehlgeschlagen ist",
  views: {
    any: "Alle",
    failed: "Fehlgeschlagen",
    retrying: "Wird erneut versucht",
    held: "Angehalten",
  },
  reason: "Grund",
  anyReason: "Jeder Grund",
  period: "Empfangen",
  periods: {
    "": "Jederzeit",
    day: "In den letzten 24 Stunden",
    week: "In den letzten 7 Tagen",
    month: "In den letzten 30 Tagen",
  },
  noneFits: "Nichts Passendes ist fehlgeschlagen.",
  none: "Nichts ist fehlgeschlagen",
  noneHint: "E-Mails, die nicht zugestellt werden konnten oder erneut versucht werden, erscheinen hier.",
  choose: (who: string, subject: string) => `${who}: ${subject} auswählen`,
  retryChosen: (number: number) => `${figure(number)} ausgewählte erneut versuchen`,
  retryAll: (number: number | undefined) => {
    if (number === undefined) return "Alle jetzt erneut versuchen";
    return number === 1 ? "Jetzt erneut versuchen" : `Alle ${figure(number)} jetzt erneut versuchen`;
  },
  nothingToRetry: "Es gibt nichts mehr, das erneut versucht werden könnte.",
  retried: (number: number) => `${count(number, "Zustellung wird", "Zustellungen werden")} erneut versucht.`,
};
