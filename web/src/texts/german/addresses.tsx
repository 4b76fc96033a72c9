import type { Texts } from "../english/index.ts";
import { count } from "./count.ts";

export const board: Texts["board"] = {
  title: "Ihre Adressen",
  newAddress: "Neue Adresse",
  search: "Adressen, Markierungen und Ziele durchsuchen",
  loading: "Ihre Adressen werden geladen",
  what: "Die Liste Ihrer Adressen",
  quota: (used, available) => `${used} von ${available} Adressen vergeben`,
  received: (number) => count(number, "E-Mail empfangen", "E-Mails empfangen"),
  webhook: "Webhook",
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
    webhook: "Auf Wunsch: den eigenen Server aufrufen lassen",
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

export const binding: Texts["binding"] = {
  title: "Adresse",
  forwardsTo: "Leitet weiter an",
  forwardToAnother: "An eine weitere Adresse weiterleiten",
  forwardToAnotherHint: "Wir senden ihr einen Bestätigungslink. Weitergeleitet wird, sobald er geöffnet wurde.",
  linkOnItsWay: "Bestätigungslink gesendet.",
  removeWhat: (address) => `${address} entfernen`,
  resendLink: "Link erneut senden",
  resendLinkTo: (address) => `Link erneut an ${address} senden`,
  linkSent: "Link gesendet.",
  suspended: "Ausgeschaltet: sie hat E-Mail endgültig abgelehnt",
  verified: "Bestätigt",
  notVerified: "Noch nicht bestätigt",
  notForwarded: "Wird nicht weitergeleitet",
  refused: (number, at, reason) => (
    <>
      {number === 1 ? "1 E-Mail wurde" : `${number} E-Mails wurden`} abgelehnt, zuletzt {at}: {reason}.
    </>
  ),
  refusals: {
    "account-disabled": "dieses Konto war gesperrt",
    "switched-off": "alle Zieladressen sind ausgeschaltet",
    suspended: "alle Zieladressen wurden ausgeschaltet, nachdem sie E-Mail endgültig abgelehnt hatten",
  },
  keepCopy: "Kopie hier behalten",
  keepCopyHint: "Wenn ausgeschaltet, wird E-Mail weitergeleitet, aber nicht gespeichert.",
  notes: "Notizen",
  webhook: "Webhook",
  webhookUrl: "Webhook-URL",
  webhookUrlHint:
    "Wird mit jeder neuen E-Mail als JSON aufgerufen. Leer lassen für keinen. Ein Test-Endpunkt zeigt, was gesendet wird.",
  sendTest: "Test senden",
  noAnswer: "Keine Antwort",
  answered: (status) => `Antwort ${status}`,
  after: (durationMs) => ` nach ${durationMs} ms`,
  not2xx: "Alles außer 2xx gilt als Fehler: ein echter Aufruf würde wiederholt.",
  removeThis: "Diese Adresse entfernen",
  removeTitle: "Diese Adresse entfernen?",
  removeAction: "Adresse entfernen",
  removeLead: (address) => (
    <>Von jetzt an wird E-Mail an {address} abgelehnt: Absender erfahren, dass es die Adresse nicht gibt.</>
  ),
  removeRest:
    "Ihre gespeicherten E-Mails werden gelöscht. Niemand sonst bekommt diese Adresse je; Sie können sie wieder erstellen.",
};

export const inbox: Texts["inbox"] = {
  title: "Posteingang",
  live: "Live",
  reconnecting: "Verbindung wird wiederhergestellt…",
  notKept:
    "E-Mail an diese Adresse wird weitergeleitet und nicht gespeichert. Um sie hier zu lesen, schalten Sie in ihren Einstellungen „Kopie hier behalten“ ein.",
  search: "Absender und Betreff durchsuchen",
  loading: "E-Mails werden geladen",
  what: "Der Posteingang",
  noMatch: (search) => `Kein Absender oder Betreff enthält „${search}“.`,
  empty: "Noch keine E-Mail",
  list: "E-Mails",
  emails: (number) => count(number, "E-Mail", "E-Mails"),
  attachments: (number) => count(number, "Anhang", "Anhänge"),
  noSubject: "(kein Betreff)",
  bounce: "(eine Unzustellbarkeitsmeldung)",
  onItsWay: "In Arbeit",
};

export const testEndpoints: Texts["testEndpoints"] = {
  title: "Test-Endpunkte",
  one: "Test-Endpunkt",
  create: "Neuer Test-Endpunkt",
  lead: "Ein Test-Endpunkt ist eine URL, die jede Anfrage annimmt und anzeigt. Tragen Sie ihn als Webhook-URL einer Adresse ein, um genau zu sehen, was Ihr eigener Server bekäme.",
  loading: "Ihre Test-Endpunkte werden geladen",
  what: "Die Liste Ihrer Test-Endpunkte",
  none: "Sie haben noch keine Test-Endpunkte.",
  itsCallUrl: "Die Aufruf-URL",
  created: (at, last) => (
    <>
      Erstellt {at}
      {last}
    </>
  ),
  lastCalled: (method, at) => (
    <>
      ; zuletzt aufgerufen mit {method} {at}
    </>
  ),
  notCalled: "; noch nicht aufgerufen",
  callUrl: "Aufruf-URL",
  callUrlHint: "Nimmt jede Methode an, ohne Anmeldung.",
  getUrl: "Abruf-URL",
  getUrlHint: "Gibt einem Programm die letzte Anfrage.",
  calls: "Anfragen",
  whatCalls: "Die Liste der Anfragen",
  callCount: (number) => count(number, "Anfrage", "Anfragen"),
  waiting: "Warten auf die erste Anfrage. Sie erscheint hier von selbst.",
  bodyOf: (place) => `Inhalt der Anfrage ${place}`,
  noBody: "Kein Inhalt.",
  bodyCut: "Der Inhalt ist länger als das, was angezeigt wird.",
  removeThis: "Diesen Test-Endpunkt entfernen",
  removeTitle: "Diesen Test-Endpunkt entfernen?",
  removeAction: "Test-Endpunkt entfernen",
  removeLead: "Seine Anfragen werden gelöscht. Spätere Anfragen an seine URL werden mit „nicht gefunden“ beantwortet.",
};
