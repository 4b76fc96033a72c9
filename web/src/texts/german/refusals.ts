import { reasonOf } from "./reasons.ts";

/** A kind of which the server's sentence says more, such as which bound was reached: in its English where we have no German for it. */
const reason = (said: string) => reasonOf(said) ?? said;

/** By the graph's kind, in place of the server's English sentence. */
export const refusals: Readonly<Record<string, string | ((said: string) => string)>> = {
  MalformedRequest: "Diese Anfrage ist fehlerhaft.",
  RequestTimeout: "Die Anfrage hat zu lange gedauert. Bitte versuchen Sie es erneut.",
  BodyTooLarge: "Das ist zu groß.",
  UnsupportedMediaType: "Dieses Format wird nicht angenommen.",
  ExpectationFailed: "Diese Anfrage ist fehlerhaft.",
  ValidationFailed: reason,
  HeadersTooLarge: "Die Anfrage ist zu groß.",
  CredentialsMissing: "Bitte melden Sie sich zuerst an.",
  WrongUserOrPassword: "E-Mail-Adresse oder Passwort ist falsch.",
  WrongPasskey: "Dieser Passkey ist hier nicht bekannt, oder seine Antwort stimmt nicht.",
  BearerTokenInvalid: "Ihre Sitzung ist abgelaufen. Bitte melden Sie sich erneut an.",
  TokenNotFound: "Dieses Token gilt nicht oder nicht mehr.",
  SecondFactorRequired: "Dieses Konto hat eine Zwei-Faktor-Authentifizierung: Geben Sie zuerst deren Code ein.",
  WrongSecondFactor: "Dieser Code ist falsch oder wurde schon verwendet.",
  WrongPassword: "Das ist nicht das Passwort des Kontos.",
  FreshProofRequired: "Bestätigen Sie zuerst mit Ihrem Passwort oder einem Passkey, dass Sie es sind.",
  SecondFactorNotEnabled: "Dieses Konto hat keine Zwei-Faktor-Authentifizierung.",
  AccountDisabled: "Dieses Konto ist gesperrt.",
  Forbidden: reason,
  ScopeMissing: "Dieser API-Schlüssel darf das nicht.",
  NotFound: "Das gibt es nicht mehr. Vielleicht wurde es in einem anderen Fenster entfernt: Laden Sie die Seite neu.",
  MethodNotAllowed: "Das ist hier nicht möglich.",
  NotBrowsable: "Die E-Mails dieser Adresse werden nicht zum Lesen aufbewahrt.",
  SendingNotAllowed: "Von dieser Adresse kann so nicht gesendet werden.",
  QuotaExceeded: reason,
  AddressTaken: "Diese Adresse gibt es schon. Wählen Sie eine andere.",
  Conflict: reason,
  Gone: "Das gibt es nicht mehr.",
  AnswerTooLarge: "Die Antwort wird zu groß. Fragen Sie weniger auf einmal ab.",
  RateLimited: "Das waren zu viele Versuche. Bitte warten Sie etwas, und versuchen Sie es dann erneut.",
  Internal: "Auf unserer Seite ist etwas schiefgelaufen. Bitte versuchen Sie es erneut.",
  Unavailable: "Ein Teil des Dienstes ist gerade nicht verfügbar. Bitte versuchen Sie es gleich noch einmal.",
  Unreachable: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.",
  ServerFailed: "Der Server hat gerade eine Störung. Bitte versuchen Sie es gleich noch einmal.",
  PasskeyAlreadyThere: "Dieses Gerät hat schon einen Passkey für dieses Konto.",
  PasskeyNotMade:
    "Es wurde kein Passkey erstellt: abgebrochen, Zeit abgelaufen, oder dieses Gerät kann keinen erstellen.",
  PasskeyNotUsed:
    "Es wurde kein Passkey verwendet: abgebrochen, Zeit abgelaufen, oder es gibt hier keinen für diese Website.",
  SourceGone: "Der Quelltext kann nicht geladen werden. Vielleicht wurde die E-Mail gelöscht.",
};
