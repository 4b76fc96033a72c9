import type { Texts } from "../english/index.ts";
import { count } from "./count.ts";

export const addresses: Texts["addresses"] = {
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
  orders: { created: "Erstellungsdatum", address: "Adresse", received: "Empfangenen E-Mails", last: "Letzter E-Mail" },
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
  more: (number) => `und ${number} weitere`,
  unverified: "Noch nicht bestätigt",
  suspended: "Lehnt E-Mail ab",
  failedEmails: (number) => `${number} gescheitert`,
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
  created: (address) => `${address} erstellt`,
  createdAndCopied: (address) => `${address} erstellt und kopiert`,
  back: "Adressen",
  tabs: { email: "E-Mail", contacts: "Kontakte", rules: "Regeln", settings: "Einstellungen" },
  sections: "Teile dieser Seite",
  forwardsTo: (targets) => `Leitet weiter an ${targets}`,
  off: {
    kept: "Diese Adresse ist aus: E-Mail an sie wird nicht weitergeleitet. Hier aufbewahrt wird sie weiterhin.",
    called: "Diese Adresse ist aus: E-Mail an sie wird nicht weitergeleitet. Ihr Webhook wird weiterhin aufgerufen.",
    rejected: "Diese Adresse ist aus: E-Mail an sie wird abgelehnt, und Absender erfahren das.",
  },
  since: (at) => <>Erstellt {at}</>,
};

export const answering: Texts["answering"] = {
  title: "Antworten",
  lead: "Antworten Sie auf weitergeleitete E-Mail mit Ihrem eigenen Programm; die andere Seite sieht nur diese Adresse.",
  answers: "Von dieser Adresse antworten",
  answersHint:
    "Weitergeleitete E-Mail nennt dann für jeden Absender eine Rückadresse. Antworten an sie gehen von dieser Adresse aus.",
  displayName: "Ihr Name",
  displayNameHint: "Steht neben dieser Adresse bei denen, denen Sie schreiben. Leer lassen für keinen.",
  strangers: "Andere Empfänger in An und Cc zulassen",
  strangersHint: "Antworten dürfen dann auch an Personen gehen, die noch keine Kontakte dieser Adresse sind.",
  encrypted: "Verschlüsselte Antworten senden",
  encryptedHint:
    "Wir können sie nicht nach Ihrer echten Adresse durchsuchen. Wenn aus, werden sie angehalten und Sie gefragt.",
  spf: (address) => `Antworten von ${address} ohne DKIM-Signatur annehmen`,
  spfHint: "SPF allein genügt dann: wer über dieselben Server sendet, kann in Ihrem Namen antworten.",
};

export const contacts: Texts["contacts"] = {
  title: "Kontakte",
  list: "Kontakte",
  loading: "Kontakte werden geladen",
  what: "Die Liste der Kontakte",
  search: "Kontakte durchsuchen",
  none: "Noch keine Kontakte",
  noneLead:
    "Wer an diese Adresse schreibt, wird ein Kontakt. Sie können auch jemanden hinzufügen, um zuerst zu schreiben.",
  noneOff:
    "Schalten Sie in den Einstellungen „Von dieser Adresse antworten“ ein, um zu antworten, ohne Ihre echte Adresse zu zeigen.",
  noMatch: (search) => `Kein Kontakt enthält „${search}“.`,
  write: "Jemandem schreiben",
  address: "Deren E-Mail-Adresse",
  addressHint: "Sie bekommen eine Rückadresse: was Sie an sie senden, erreicht sie von dieser Adresse aus.",
  several: "Mehrere Adressen mit Komma trennen.",
  name: "Name",
  nameHint: "Nur für Sie.",
  create: "Rückadresse holen",
  made: "Senden Sie Ihre E-Mail an",
  madeLead: (address) =>
    `Verwenden Sie Ihr eigenes E-Mail-Programm. Sie geht von ${address} aus; Ihre echte Adresse wird nicht gezeigt.`,
  openProgram: "E-Mail-Programm öffnen",
  copyAll: "Alle kopieren",
  reverseOf: (who) => `die Rückadresse von ${who}`,
  copyReverse: "Rückadresse kopieren",
  countsAndSeen: (received, sent, at) => (
    <>
      {received} empfangen · {sent} gesendet · Zuletzt gesehen {at}
    </>
  ),
  blocked: "Blockiert",
  block: "Blockieren",
  unblock: "Freigeben",
  blockWhat: (who) => `${who} blockieren`,
  unblockWhat: (who) => `${who} freigeben`,
  rename: "Umbenennen",
  renameWhat: (who) => `${who} umbenennen`,
  remove: "Entfernen",
  removeWhat: (who) => `${who} entfernen`,
  removeTitle: "Diesen Kontakt entfernen?",
  removeAction: "Kontakt entfernen",
  removeLead: (who) => (
    <>Die Rückadresse von {who} funktioniert dann nicht mehr. Schreibt er oder sie wieder, entsteht eine neue.</>
  ),
  done: "Fertig",
};
