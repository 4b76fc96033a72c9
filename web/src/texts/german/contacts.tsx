import type { Texts } from "../english/index.ts";

export const contacts: Texts["contacts"] = {
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
    `Senden Sie sie aus dem Postfach, an das Ihre E-Mail weitergeleitet wird. Sie geht von ${address} aus; Ihre echte Adresse wird nicht gezeigt.`,
  openProgram: "E-Mail-Programm öffnen",
  copyAll: "Alle kopieren",
  reverseOf: (who) => `die Rückadresse von ${who}`,
  copyReverse: "Rückadresse kopieren",
  copyReverseOf: (who) => `Rückadresse kopieren: ${who}`,
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
