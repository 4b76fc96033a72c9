import type { Texts } from "../english/index.ts";

export const settings: Texts["settings"] = {
  title: "Einstellungen",
  apiToken: "API-Token",
  apiTokenLead: (link) => (
    <>
      Für Ihre eigenen Programme, im Header <code>Token</code>. {link("So verwenden Sie die API")}
    </>
  ),
  theApiToken: "API-Token",
  regenerateToken: "Token neu erzeugen",
  regenerateTokenTitle: "Token neu erzeugen?",
  regenerateTokenLead: "Das aktuelle Token gilt ab sofort nicht mehr.",
  webhookSecret: "Webhook-Schlüssel",
  webhookSecretLead:
    "Damit werden Webhook-Aufrufe signiert (Standard Webhooks), damit Ihr Server sie als unsere erkennt.",
  theWebhookSecret: "Webhook-Schlüssel",
  regenerateSecret: "Schlüssel neu erzeugen",
  regenerateSecretTitle: "Schlüssel neu erzeugen?",
  regenerateSecretLead:
    "Einen Tag lang werden Aufrufe mit beiden Schlüsseln signiert, damit Ihr Server umstellen kann. Dann gilt der alte nicht mehr.",
  twoFactor: "Zwei-Faktor-Authentifizierung",
  twoFactorLead: "Die Anmeldung fragt außer dem Passwort nach einem Code aus Ihrer Authenticator-App.",
  setUpTwoFactor: "Zwei-Faktor-Authentifizierung einrichten",
  enabled: "Aktiviert",
  disable: "Deaktivieren",
  codeToDisable: "Code zum Deaktivieren",
  scan: "Scannen Sie dies mit Ihrer Authenticator-App, oder geben Sie dort den Schlüssel ein. Tragen Sie dann den angezeigten Code ein.",
  qrCode: "Der Schlüssel als QR-Code",
  theKey: "Schlüssel",
  enable: "Aktivieren",
  codesTitle: "Die Zwei-Faktor-Authentifizierung ist aktiviert.",
  codesLead:
    "Bewahren Sie diese Codes sicher auf, wo Sie sie auch ohne Ihre Authenticator-App finden. Jeder gilt einmal; sie werden nicht wieder angezeigt.",
  theCodes: "Wiederherstellungscodes",
  codesSaved: "Ich habe sie gespeichert",
  password: "Passwort",
  passwordLead: "Ein neues Passwort meldet Sie auf allen anderen Geräten ab.",
  currentPassword: "Aktuelles Passwort",
  alsoRevoke: "Auch API-Token und Webhook-Schlüssel neu erzeugen",
  passwordChanged: "Passwort geändert.",
  changePassword: "Passwort ändern",
  sessions: "Sitzungen",
  sessionsLead: "Wo Sie angemeldet sind.",
  sessionFrom: (browser, address) => (
    <>
      {browser ? `${browser}, von` : "Von"} {address}
    </>
  ),
  thisDevice: "Dieses Gerät",
  sessionSince: (since, until) => (
    <>
      Seit {since}, bis {until}
    </>
  ),
  signOut: "Abmelden",
  signOutWhat: (browser, address) => `${browser ?? "Sitzung"} von ${address} abmelden`,
  signOutOthers: "Andere Sitzungen abmelden",
  data: "Ihre Daten",
  dataLead: "Alle Ihre Daten als eine JSON-Datei: Adressen, E-Mails, Zustellungen und Test-Endpunkte.",
  download: "Herunterladen",
  storage: (used) => `Gespeicherte E-Mails: ${used}.`,
  storageOf: (used, limit) => `Gespeicherte E-Mails: ${used} von ${limit}.`,
  lessThan: (amount) => `weniger als ${amount}`,
  storageFull: " Neue E-Mails werden nicht gespeichert, bis Sie welche löschen.",
  deleteAccount: "Konto löschen",
  deleteAccountLead: "Ihr Konto und alles darin wird endgültig gelöscht.",
  deleteAccountTitle: "Konto löschen?",
  deleteAccountRest:
    "Ihre Adressen lehnen E-Mail von jetzt an ab, und niemand sonst bekommt sie je. Gespeicherte E-Mails, Anhänge, Test-Endpunkte, Token und Sitzungen werden gelöscht. Das lässt sich nicht rückgängig machen; laden Sie vorher herunter, was Sie behalten möchten.",
  deleteForGood: "Endgültig löschen",
  language: "Sprache",
  languageLead: "In diesem Browser.",
};
