import type { Texts } from "../english/index.ts";
import { count } from "./count.ts";

export const binding: Texts["binding"] = {
  title: "Adresse",
  back: "Adressen",
  tabs: { email: "E-Mail", contacts: "Kontakte", rules: "Regeln", settings: "Einstellungen" },
  sections: "Teile dieser Seite",
  automatic: "Bei der Registrierung erstellt",
  forwardsToWhat: (targets) => `Leitet weiter an ${targets}`,
  off: {
    kept: "Diese Adresse ist aus: E-Mail an sie wird nicht weitergeleitet. Hier aufbewahrt wird sie weiterhin.",
    called: "Diese Adresse ist aus: E-Mail an sie wird nicht weitergeleitet. Ihr Webhook wird weiterhin aufgerufen.",
    rejected: "Diese Adresse ist aus: E-Mail an sie wird abgelehnt, und Absender erfahren das.",
  },
  forwardsTo: "Leitet weiter an",
  forwardToAnother: "An eine weitere Adresse weiterleiten",
  forwardToAnotherHint: "Wir senden ihr einen Bestätigungslink. Weitergeleitet wird, sobald er geöffnet wurde.",
  linkOnItsWay: "Bestätigungslink gesendet.",
  removeWhat: (address) => `${address} entfernen`,
  stopTitle: "Nicht mehr an diese Adresse weiterleiten?",
  stopAction: "Nicht mehr weiterleiten",
  stopLead: (proxyAddress, address) => (
    <>
      Von jetzt an wird E-Mail an {proxyAddress} nicht mehr an {address} weitergeleitet.
    </>
  ),
  stopLast: "Keine andere Adresse ist eingeschaltet: Weitergeleitet wird dann gar nicht mehr.",
  stopRest: "Ihre anderen Adressen sind nicht betroffen.",
  resendLink: "Link erneut senden",
  resendLinkTo: (address) => `Link erneut senden an ${address}`,
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

export const bindingMail: Texts["bindingMail"] = {
  title: "Posteingang",
  notKept:
    "E-Mail an diese Adresse wird weitergeleitet und nicht gespeichert. Um sie hier zu lesen, schalten Sie in ihren Einstellungen „Kopie hier behalten“ ein.",
  what: "Der Posteingang",
  empty: "Noch keine E-Mail",
  emails: (number) => count(number, "E-Mail", "E-Mails"),
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
