import type { Texts } from "../english/index.ts";
import { count, figure } from "./count.ts";
import { reasonOf } from "./reasons.ts";

/** The kind of a refusal and the name of a member may stand before the sentence: what is left without them may be one that we have. */
function said(sentence: string): string {
  for (let rest = sentence; rest !== ""; rest = rest.split(": ").slice(1).join(": ")) {
    const german = reasonOf(rest);
    if (german !== undefined) return german;
  }
  return sentence;
}

export const imports: Texts["imports"] = {
  title: "Import",
  lead: "Bringen Sie Ihre Adressen von einem anderen Dienst mit. Sie sehen, was angelegt würde, bevor etwas angelegt wird.",
  what: "Ihre Importe",
  from: "Exportdatei von",
  files: {
    simplelogin: "SimpleLogin (CSV)",
    addy: "addy.io (CSV)",
    relay: "Firefox Relay (CSV)",
    postern: "Postern (JSON)",
  },
  sources: {
    simplelogin: "SimpleLogin",
    simplelogin_api: "SimpleLogin",
    addy: "addy.io",
    relay: "Firefox Relay",
    postern: "Postern",
  },
  file: "Datei",
  tooLarge:
    "Diese Datei ist zu groß für den Browser. Importieren Sie sie über die API: siehe Dokumentation unter /docs.",
  check: "Datei prüfen",
  checkHint: "Noch wird nichts angelegt und niemand angeschrieben.",
  earlier: "Letzte Importe",
  named: (source, at) => (
    <>
      {source}, {at}
    </>
  ),
  rows: (number) => count(number, "Zeile", "Zeilen"),
  state: "Stand",
  states: {
    reading: "Wird gelesen",
    checked: "Bereit",
    waiting: "Wird importiert",
    done: "Fertig",
    failed: "Fehlgeschlagen",
  },
  status: (source, state, done, total) =>
    `${source}: ${state} · ${figure(done)} von ${count(total, "Zeile", "Zeilen")}`,
  progress: "Fortschritt",
  nothingMade: "Prüfen Sie die Tabelle. Erst nach dem Start wird etwas angelegt.",
  newOnes: "Neue Adressen anlegen, wo die alten nicht bleiben können",
  newOnesHint:
    "Eine Adresse auf einer Domain, die hier nicht Ihnen gehört, bekommt eine neue. Sonst wird sie ausgelassen.",
  start: "Import starten",
  seeAddresses: "Ihre Adressen ansehen",
  download: "Tabelle herunterladen",
  table: "Zeilen des Imports",
  old: "Bisher",
  verdict: "Ergebnis",
  new: "Hier",
  detail: "Details",
  said,
  verdicts: {
    same: "Behält den Namen",
    new: "Bekommt eine neue Adresse",
    exists: "Schon hier",
    refused: "Nicht importiert",
  },
  rowStates: { done: "Importiert", left: "Ausgelassen", refused: "Nicht importiert" },
  onlyFirst: (shown, total) => `Die ersten ${figure(shown)} von ${figure(total)} Zeilen. Der Download enthält alle.`,
  section: "Umziehen",
  sectionLead: "Von SimpleLogin, addy.io, Firefox Relay oder einem anderen Postern.",
  open: "Adressen importieren",
};
