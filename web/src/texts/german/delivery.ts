/** What became of a delivery, by the graph's states. */
export const states: Readonly<Record<string, string>> = {
  waiting: "Wartet",
  delivered: "Zugestellt",
  bounced: "Unzustellbar",
  given_up: "Fehlgeschlagen",
  cancelled: "Abgebrochen",
};

/** What happened to an email, by the timeline's kinds. */
export const steps: Readonly<Record<string, string>> = {
  accepted: "Empfangen",
  held: "Wartet auf Bestätigung der Adresse",
  skipped_unverified: "Nicht weitergeleitet: Die Adresse war nicht bestätigt",
  skipped_switched_off: "Nicht weitergeleitet: Die Adresse war ausgeschaltet",
  skipped_suspended:
    "Nicht weitergeleitet: Die Adresse war ausgeschaltet, nachdem sie E-Mail endgültig abgelehnt hatte",
  stored: "Kopie behalten",
  partly_unreadable: "Teilweise gelesen",
  not_kept: "Kopie nicht behalten",
  discarded: "Verworfen",
  rule_applied: "Eine Regel galt",
  truncated: "Zu lang, um ganz behalten zu werden",
  forwarded: "Weitergeleitet",
  sent: "Antwort gesendet",
  deferred: "Verzögert",
  bounced: "Unzustellbar",
  complained: "Als unerwünscht gemeldet",
  given_up: "Fehlgeschlagen",
  cancelled: "Abgebrochen",
  called_back: "Webhook aufgerufen",
  callback_deferred: "Webhook verzögert",
  callback_given_up: "Webhook fehlgeschlagen",
  callback_cancelled: "Webhook abgebrochen",
};
