import type { Texts } from "../english/index.ts";
import { count, figure } from "./count.ts";

export const addresses: Texts["addresses"] = {
  title: "Ihre Adressen",
  newAddress: "Neue Adresse",
  search: "Adressen, Markierungen und Ziele durchsuchen",
  loading: "Ihre Adressen werden geladen",
  what: "Die Liste Ihrer Adressen",
  quotaLeft: (left) => `Sie können noch ${figure(left)} erstellen`,
  quotaUsed: (available) => `Sie haben Ihre Höchstzahl von ${count(available, "Adresse", "Adressen")} erreicht`,
  received: (number) => count(number, "E-Mail empfangen", "E-Mails empfangen"),
  table: "Adressen",
  columns: {
    address: "Adresse",
    target: "Leitet weiter an",
    received: "Empfangen",
    failed: "Gescheitert",
    last: "Letzte E-Mail",
    isOn: "An",
    select: "Auswahl",
  },
  sortBy: "Sortieren nach",
  orders: { created: "Erstellt", address: "Adresse", received: "Empfangene E-Mails", last: "Letzte E-Mail" },
  reverse: "Reihenfolge umkehren",
  state: "Zustand",
  states: { all: "An und aus", on: "An", off: "Aus" },
  domain: "Domain",
  allDomains: "Alle Domains",
  total: (number) => count(number, "Adresse", "Adressen"),
  noneFits: "Keine Adresse passt",
  noneFitsLead: (search) =>
    search === ""
      ? "Keine Adresse ist in diesem Zustand oder auf dieser Domain."
      : `Keine Adresse, Beschreibung, Markierung oder Zieladresse enthält „${search}“.`,
  clearFilters: "Suche und Filter zurücksetzen",
  notForwarded: "Nicht weitergeleitet",
  off: {
    kept: "Aus, E-Mail wird hier aufbewahrt",
    called: "Aus, Webhook wird aufgerufen",
    rejected: "Aus, E-Mail wird abgelehnt",
  },
  more: (number) => `und ${figure(number)} weitere`,
  unverified: "Noch nicht bestätigt",
  suspended: "Lehnt E-Mail ab",
  failedEmails: (number) => `${figure(number)} gescheitert`,
  never: "Nie",
  receivedAndLast: (received, last) => (
    <>
      {received} · {last}
    </>
  ),
  switchOf: (address) => `E-Mail von ${address} weiterleiten`,
  switchOfKept: (address) => `E-Mail für ${address} annehmen`,
  select: (address) => `${address} auswählen`,
  selectAll: "Alle angezeigten auswählen",
  selected: (number) => count(number, "Adresse ausgewählt", "Adressen ausgewählt"),
  selectedAll: (number) => `Alle ${count(number, "Adresse", "Adressen")} ausgewählt`,
  selectAllThatMatch: (number) => `Alle ${count(number, "Adresse", "Adressen")} auswählen`,
  bulk: "Aktionen für die ausgewählten Adressen",
  turnOn: "Einschalten",
  turnOff: "Ausschalten",
  addLabel: "Markieren",
  label: "Markierung",
  labels: "Markierungen",
  labelsHint: "Zum Beispiel, wo Sie sie verwenden. Mehrere mit Komma trennen.",
  clearSelection: "Auswahl aufheben",
  remove: "Entfernen",
  removeMany: (number) => `${count(number, "Adresse", "Adressen")} entfernen?`,
  removeManyLead:
    "E-Mail an sie wird ab sofort abgelehnt, und für sie aufbewahrte E-Mail wird gelöscht. Niemand sonst bekommt diese Adressen je.",
  done: (done) => `${count(done, "Adresse", "Adressen")} geändert.`,
  removed: (done) => `${count(done, "Adresse", "Adressen")} entfernt.`,
  failed: (failed, reason) => `${count(failed, "Adresse konnte", "Adressen konnten")} nicht geändert werden: ${reason}`,
  ownAlready: "Sie haben diese Adresse schon.",
  openOwn: "Adresse öffnen",
  created: (address) => `${address} erstellt`,
  createdAndCopied: (address) => `${address} erstellt und kopiert`,
  nextStep: {
    create: "Beginnen Sie mit einer Adresse",
    send: "Senden Sie ihr jetzt eine E-Mail",
    read: "Lesen Sie Ihre erste E-Mail",
    webhook: "Binden Sie Ihre eigenen Programme an",
  },
  steps: "Erste Schritte",
  stepNames: {
    confirm: "Eigene Adresse bestätigen",
    create: "Eine Adresse erstellen",
    send: "Ihr eine E-Mail senden",
    read: "Sie hier lesen",
    webhook: "Auf Wunsch: einen Webhook hinzufügen",
  },
  stepDone: " (erledigt)",
  createFirst: "Erste Adresse erstellen",
  readFirst: "Posteingang öffnen",
  webhookStep: (link) => (
    <>
      Ein Webhook wird bei jeder neuen E-Mail aufgerufen. {link("Richten Sie einen für diese Adresse ein")}, oder
      schließen Sie diese Karte.
    </>
  ),
  address: "Adresse",
  addressPlaceholder: "Wird für Sie erzeugt",
  generateAnother: "Andere vorschlagen",
  forwardTo: "Weiterleiten an",
  forwardToHint: "Mehrere Adressen mit Komma trennen. Leer lassen, um E-Mail nur hier zu behalten.",
  description: "Beschreibung",
  descriptionHint: "Zum Beispiel: „Netflix-Konto“",
  keepCopy: "Kopie hier behalten",
  create: "Erstellen",
};
