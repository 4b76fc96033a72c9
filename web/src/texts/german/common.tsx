import type { Texts } from "../english/index.ts";

export const common: Texts["common"] = {
  add: "Hinzufügen",
  cancel: "Abbrechen",
  confirm: "Bestätigen",
  continue: "Weiter",
  delete: "Löschen",
  hide: "Verbergen",
  loading: "Wird geladen",
  newPassword: "Neues Passwort",
  password: "Passwort",
  remove: "Entfernen",
  rename: "Umbenennen",
  save: "Speichern",
  show: "Anzeigen",
  showMore: "Mehr anzeigen",
  tryAgain: "Erneut versuchen",
  yourPassword: "Ihr Passwort",
  name: "Name",
  code: "Code",
  codeHint: "Aus Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.",
  clearSearch: "Suche leeren",
  skipToContent: "Zum Inhalt springen",
  mainNavigation: "Hauptnavigation",
  dismiss: "Schließen",
  copy: "Kopieren",
  copied: "Kopiert",
  copyFailed: "Kopieren fehlgeschlagen",
  copyWhat: (what) => `${what} kopieren`,
  copiedWhat: (what) => `${what} kopiert.`,
  copyFailedWhat: (what) => `${what} konnte nicht kopiert werden.`,
  useTheme: (theme) => (theme === "light" ? "Helles Design verwenden" : "Dunkles Design verwenden"),
  language: "Sprache",
};

export const errors: Texts["errors"] = {
  unforeseen: "Etwas ist schiefgelaufen. Bitte versuchen Sie es erneut.",
  offline: "Sie sind offline.",
  notDone: "Sie sind offline, daher wurde nichts geändert. Versuchen Sie es erneut, sobald Sie wieder online sind.",
  missing: (what) => `${what} kann gerade nicht angezeigt werden. Alles andere auf dieser Seite funktioniert.`,
  pageFailed: "Diese Seite ist abgestürzt",
  pageFailedLead: "Beim Anzeigen ist etwas schiefgelaufen. Ihre Adressen und E-Mails sind davon nicht betroffen.",
  reload: "Seite neu laden",
  byKind: {
    AddressTaken: "Diese Adresse gibt es schon. Wählen Sie eine andere.",
    WrongUserOrPassword: "E-Mail-Adresse oder Passwort ist falsch.",
    Unavailable: "Ein Teil des Dienstes ist gerade nicht verfügbar. Bitte versuchen Sie es gleich noch einmal.",
    Unreachable: "Der Server ist nicht erreichbar.",
    PasskeyAlreadyThere: "Dieses Gerät hat schon einen Passkey für dieses Konto.",
    PasskeyNotMade:
      "Es wurde kein Passkey erstellt: abgebrochen, Zeit abgelaufen, oder dieses Gerät kann keinen erstellen.",
    PasskeyNotUsed:
      "Es wurde kein Passkey verwendet: abgebrochen, Zeit abgelaufen, oder es gibt hier keinen für diese Website.",
    SourceGone: "Der Quelltext kann nicht geladen werden. Vielleicht wurde die E-Mail gelöscht.",
  },
};

export const navigation: Texts["navigation"] = {
  addresses: "Adressen",
  inbox: "Posteingang",
  failures: "Fehlschläge",
  rules: "Regeln",
  domains: "Domains",
  webhooks: "Webhooks",
  settings: "Einstellungen",
  signOut: "Abmelden",
};

export const notFound: Texts["notFound"] = {
  title: "Seite nicht gefunden",
  lead: "Unter dieser Adresse gibt es keine Seite, oder ihr Inhalt wurde entfernt.",
  back: "Zu Ihren Adressen",
};

export const tryIt: Texts["tryIt"] = {
  subject: "Hallo von meiner neuen Adresse",
  body: "Eine erste E-Mail durch Postern.",
  write: (address, link) => (
    <>
      Schreiben Sie aus einem beliebigen E-Mail-Programm an {address}, oder{" "}
      {link("öffnen Sie Ihres mit einer Test-E-Mail")}. Sie erscheint hier nach wenigen Sekunden.
    </>
  ),
  local: (address) => (
    <>
      Postern läuft auf Ihrem Rechner, daher erreicht E-Mail von außen diese Adresse nicht. Dieser Befehl schickt eine
      Test-E-Mail an {address}; sie erscheint hier nach einer Sekunde.
    </>
  ),
  theCommand: "Den Befehl",
};
