import type { ErrorKind } from "../../../platform/error-kinds.ts";

/**
 * What services say to people who open these pages, and what it is in German: "{}" stands for a number. Exported for tests:
 * test/lint/page-texts holds it to what they say.
 */
export const sentences: Readonly<Record<string, string>> = {
  "This link has expired, or the address was removed.": "Dieser Link ist abgelaufen, oder die Adresse wurde entfernt.",
  "This link has expired or has already been used.": "Dieser Link ist abgelaufen oder wurde schon verwendet.",
  "A contact that this answer goes to, or its proxy address, was removed, so the answer is not sent.":
    "Ein Kontakt, an den diese Antwort geht, oder ihre Proxy-Adresse wurde entfernt: Die Antwort wird nicht gesendet.",
  "A contact that this answer goes to is blocked, so the answer is not sent.":
    "Ein Kontakt, an den diese Antwort geht, ist blockiert: Die Antwort wird nicht gesendet.",
  "Answering from this answer's proxy address is switched off, so the answer is not sent.":
    "Das Antworten von der Proxy-Adresse dieser Antwort ist ausgeschaltet: Die Antwort wird nicht gesendet.",
  "This is not the password that was chosen at sign-up.":
    "Das ist nicht das Passwort, das bei der Registrierung gewählt wurde.",
  "Sign-up is by invitation only, and this one is not good, or no longer.":
    "Die Registrierung ist nur mit Einladung möglich, und diese gilt nicht oder nicht mehr.",
  "must have at least {} characters.": "Das Passwort muss mindestens {} Zeichen haben.",
  "must have {} to {} bytes of valid Unicode.": "Das Passwort muss {} bis {} Bytes haben, ohne ungültige Zeichen.",
  "is too easy to guess. Use a longer one, such as a few words that have nothing to do with each other.":
    "Das Passwort ist zu leicht zu erraten. Nehmen Sie ein längeres, etwa einige Wörter, die nichts miteinander zu tun haben.",
};

/** Where the kind says enough. */
const kinds: Partial<Readonly<Record<ErrorKind, string>>> = {
  MalformedRequest: "Diese Anfrage ist fehlerhaft.",
  BodyTooLarge: "Das ist zu groß.",
  ValidationFailed: "Diese Angabe wird so nicht angenommen.",
  SecondFactorRequired:
    "Dieses Konto hat eine Zwei-Faktor-Authentifizierung: Geben Sie auch deren Code oder einen Wiederherstellungscode ein.",
  WrongSecondFactor: "Dieser Code ist falsch oder wurde schon verwendet.",
  WrongPassword: "Das ist nicht das Passwort des Kontos.",
  AccountDisabled: "Dieses Konto ist gesperrt.",
  NotFound: "Das gibt es nicht oder nicht mehr.",
  MethodNotAllowed: "Das ist hier nicht möglich.",
  Gone: "Das gibt es nicht mehr.",
  RateLimited: "Das waren zu viele Versuche. Bitte warten Sie etwas, und versuchen Sie es dann erneut.",
  Internal: "Auf unserer Seite ist etwas schiefgelaufen. Bitte versuchen Sie es erneut.",
  Unavailable: "Ein Teil des Dienstes ist gerade nicht verfügbar. Bitte versuchen Sie es gleich noch einmal.",
};

export function germanRefusal(kind: ErrorKind, said: string): string {
  const numbers = said.match(/\d+/g) ?? [];
  const sentence = sentences[said] ?? sentences[said.replaceAll(/\d+/g, "{}")];
  return sentence?.replaceAll("{}", () => numbers.shift() ?? "") ?? kinds[kind] ?? "Das war nicht möglich.";
}

/** Where an answer shows an address, as forwarder says it. Exported for tests, as above. */
export const places: Readonly<Record<string, string>> = {
  "in parts that are nested too deep to be searched":
    "in Teilen, die zu tief verschachtelt sind, um durchsucht zu werden",
  "in the header, such as the subject": "im Kopf der Nachricht, etwa im Betreff",
  "in its source, outside of the parts that are shown": "im Quelltext, außerhalb der Teile, die angezeigt werden",
  "in an encrypted part, which cannot be searched": "in einem verschlüsselten Teil, der nicht durchsucht werden kann",
  "in what you quote: somebody wrote it to this address, and would learn from its being replaced that it is yours":
    "in dem, was Sie zitieren: Jemand hat es an diese Adresse geschrieben und sähe daran, dass sie ersetzt ist, dass sie Ihnen gehört",
  "in a signed part": "in einem signierten Teil",
  "in a key": "in einem Schlüssel",
  "in the attachment": "im Anhang",
  "in an attachment": "in einem Anhang",
  "in the text that you wrote": "im Text, den Sie geschrieben haben",
  ", which is encrypted and cannot be searched": ", der verschlüsselt ist und nicht durchsucht werden kann",
  ", which has more packed in it than is searched": ", in dem mehr verpackt ist, als durchsucht wird",
};

/** In English what is not known. */
export function germanPlace(said: string): string {
  const whole = places[said];
  if (whole !== undefined) return whole;
  const [, where = "", name, manner] = /^([^",]+?)(?: "([^"]*)")?(, which .*)?$/.exec(said) ?? [];
  const [place, ending] = [places[where], manner === undefined ? "" : places[manner]];
  if (place === undefined || ending === undefined) return said;
  return `${place}${name === undefined ? "" : ` „${name}“`}${ending}`;
}
