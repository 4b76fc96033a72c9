import type { ReactNode } from "react";
import type { Texts } from "../english/index.ts";

export const domains: Texts["domains"] = {
  title: "Domains",
  one: "Domain",
  lead: "Verwenden Sie Ihre eigene Domain für Adressen. Fügen Sie sie hier hinzu, veröffentlichen Sie ihre DNS-Einträge, und wir prüfen sie.",
  add: "Domain hinzufügen",
  addHint: "Nur der Name, zum Beispiel: example.com",
  loading: "Ihre Domains werden geladen",
  what: "Die Liste Ihrer Domains",
  none: "Sie haben noch keine Domains.",
  states: {
    unverified: "Noch nicht bestätigt",
    verified: "Bestätigt",
    broken: "Braucht Aufmerksamkeit",
    removed: "Entfernt",
  },
  explained: {
    unverified:
      "Veröffentlichen Sie die Einträge unten. Wir suchen jede Stunde nach ihnen; neue Einträge brauchen manchmal eine Weile.",
    verified: "Sie können Adressen auf dieser Domain erstellen.",
    broken:
      "Der Nachweis oder der MX-Eintrag fehlt. E-Mail, die noch ankommt, wird angenommen; bitte stellen Sie die Einträge wieder her.",
    removed: "Ein anderes Konto hat diese Domain nachgewiesen. Ihre Adressen auf ihr führen nirgendwohin.",
  },
  checked: (at) => <>Zuletzt geprüft {at}.</>,
  records: "DNS-Einträge",
  recordsLead:
    "Melden Sie sich dort an, wo Ihre Domain registriert ist, öffnen Sie die DNS-Einstellungen und fügen Sie jeden Eintrag mit Typ, Host und Wert hinzu. Verlangt Ihr Anbieter den vollen Namen als Host, hängen Sie die Domain an.",
  host: "Host",
  hostOfRecord: (type) => `Host von ${type}`,
  expected: "Wert",
  valueOfRecord: (type) => `Wert von ${type}`,
  found: "Gefunden",
  nothing: "Noch nichts",
  verdicts: {
    ok: "OK",
    missing: "Fehlt",
    wrong: "Falsch",
    advised: "Empfohlen",
    warning: "Warnung",
    unknown: "Noch nicht geprüft",
  },
  checkNow: "Jetzt prüfen",
  newKeys: "Neue DKIM-Schlüssel erzeugen",
  newKeysHint:
    "Neue DKIM-Schlüssel empfehlen sich einmal im Jahr, oder wenn jemand anderes Ihr DNS ändern konnte. Die bisherigen signieren, bis die neuen Einträge gefunden sind.",
  nextKey:
    "Der nächste Schlüssel: Legen Sie diesen Eintrag neben dem benutzten an, den er später ersetzt. Bis dahin bleibt alles, wie es ist.",
  formerKey: (until: ReactNode) =>
    until ? (
      <>Ersetzt: Behalten Sie diesen Eintrag bis {until}, für E-Mails, die noch unterwegs sind.</>
    ) : (
      <>Durch einen anderen Schlüssel ersetzt.</>
    ),
  removeThis: "Diese Domain entfernen",
  removeTitle: "Diese Domain entfernen?",
  removeAction: "Domain entfernen",
  removeLead: (name) => (
    <>
      Adressen auf {name} empfangen keine E-Mail mehr. Fügen Sie die Domain wieder hinzu und weisen Sie sie nach, um sie
      zurückzubekommen.
    </>
  ),
  patterns: "Adressen von selbst",
  patternsLead:
    "E-Mail an eine Adresse, die es noch nicht gibt, erstellt sie, wo ein Muster passt. Das erste, das passt, entscheidet; * allein nimmt alles.",
  noPatterns: "Keine: E-Mail an eine Adresse, die es nicht gibt, wird abgelehnt.",
  pattern: "Muster",
  patternHint: "Vor dem @: * steht für alles, ? für ein Zeichen, {a,b} für eines von mehreren.",
  patternTargets: "Weiterleiten an",
  patternTargetsHint: "Ihre bestätigten Adressen. Leer lassen, um E-Mail hier zu behalten.",
  patternPerHour: "Neue Adressen je Stunde",
  patternCreates: "Adressen erstellen",
  patternCreatesHint: "Wenn aus, wird abgelehnt, was passt.",
  addPattern: "Muster hinzufügen",
  catchAll: "Alles annehmen",
  removePattern: (glob) => `Das Muster ${glob} entfernen`,
  patternsSaved: "Muster gespeichert.",
};
