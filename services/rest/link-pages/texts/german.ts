import type { Texts } from "./english.ts";
import { germanPlace, germanRefusal } from "./german-said.ts";

export const german: Texts = {
  language: "de",
  refusal: germanRefusal,
  passwordFault: germanRefusal,
  place: germanPlace,

  linkFails: "Dieser Link funktioniert nicht",
  reference: (id) => `Kennung: ${id}`,
  verificationAdvice: "Fordern Sie dort, wo Sie Ihre Adressen verwalten, einen neuen Link an.",
  heldAnswerAdvice: "Sie können die Antwort noch einmal schreiben, ohne die Adresse darin.",
  heldRemovedAdvice: "Um dem Kontakt zu schreiben, legen Sie ihn neu an, und schreiben Sie eine neue Antwort.",
  heldForbiddenAdvice: "Wenn Sie das ändern, bevor die Antwort verfällt, funktioniert dieser Link wieder.",
  heldUnavailableAdvice: "Bitte öffnen Sie diesen Link später noch einmal.",
  accountAdvice: "Fordern Sie dort, wo Sie sich anmelden, einen neuen Link an.",

  verifyTitle: "Ist das Ihre Adresse?",
  verifyAsks: (proxyAddress, realAddress) =>
    `E-Mails an ${proxyAddress} sollen an ${realAddress} weitergeleitet werden.`,
  verifyButton: "Ja, an mich weiterleiten",
  verifyOtherwise: "Wenn das nicht von Ihnen kommt, schließen Sie diese Seite: Es wird nichts weitergeleitet.",
  verifiedTitle: "Bestätigt",
  verified: (proxyAddress, realAddress) =>
    `E-Mails an ${proxyAddress} werden ab jetzt an ${realAddress} weitergeleitet.`,

  heldTitle: "Diese Antwort so senden?",
  held: (proxyAddress, recipients) =>
    `Ihre Antwort von ${proxyAddress} an ${recipients} wartet, denn sie würde eine Adresse zeigen, die nur Sie verwenden sollten:`,
  heldButton: "Ja, trotzdem senden",
  heldOtherwise: "Wenn Sie das nicht möchten, schließen Sie diese Seite: Die Antwort wird nicht gesendet.",
  sentTitle: "Sie wird gesendet",
  sent: (recipients) => `Ihre Antwort an ${recipients} wird so gesendet, wie sie ist.`,

  confirmTitle: "Bestätigen Sie Ihre Adresse",
  confirmAsks: (username) =>
    `Jemand hat sich mit der Adresse ${username} registriert. Wenn Sie das waren, geben Sie das Passwort ein, das Sie gewählt haben.`,
  password: "Passwort",
  confirmButton: "Bestätigen und anmelden",
  confirmOtherwise: "Wenn Sie es nicht waren, schließen Sie diese Seite: Bis zur Bestätigung gibt es kein Konto.",

  resetTitle: "Wählen Sie ein neues Passwort",
  resetAsks: (username) =>
    `Für das Konto ${username}. Sie werden überall abgemeldet, Ihr API-Token gilt nicht mehr, und Ihr Webhook-Schlüssel wird ersetzt.`,
  newPassword: "Neues Passwort",
  code: "Code aus Ihrer Authenticator-App oder ein Wiederherstellungscode",
  resetButton: "Passwort festlegen",
  resetDoneTitle: "Das Passwort ist geändert",
  resetDone: (username) =>
    `Sie wurden auf allen Geräten abgemeldet. Melden Sie sich als ${username} mit dem neuen Passwort an.`,
  signIn: "Anmelden",
};
