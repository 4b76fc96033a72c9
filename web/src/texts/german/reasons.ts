/**
 * The server's sentences that a person of the web application may come to see, and what they are in German: "{}" stands for what
 * differs from case to case. Exported for tests: test/lint/refusal-texts holds them to what services say.
 */
export const reasons: Readonly<Record<string, string>> = {
  "No more than {} proxy bindings are available to an account.": "Ein Konto kann höchstens {} Adressen haben.",
  "No more than {} new proxy addresses can be chosen within 24 hours.":
    "Innerhalb von 24 Stunden können höchstens {} neue Adressen selbst gewählt werden.",
  "No more than {} domains are available to an account.": "Ein Konto kann höchstens {} Domains haben.",
  "No more than {} rules can be for one address, those of its domain and of the account included.":
    "Für eine Adresse kann es höchstens {} Regeln geben, die ihrer Domain und die des Kontos eingerechnet.",
  "No more than {} rules are available to an account.": "Ein Konto kann höchstens {} Regeln haben.",
  "No more than {} contacts of an account can come from imports.":
    "Höchstens {} Kontakte eines Kontos können aus Importen stammen.",
  "An account may have {} recorders: remove one that you no longer need.":
    "Ein Konto kann {} Testendpunkte haben: Entfernen Sie einen, den Sie nicht mehr brauchen.",
  "There can be {} passkeys; remove one that is not used.":
    "Es kann {} Passkeys geben: Entfernen Sie einen, der nicht verwendet wird.",
  "There can be {} API keys; revoke one that is not used.":
    "Es kann {} API-Schlüssel geben: Widerrufen Sie einen, der nicht verwendet wird.",
  "This passkey is registered already.": "Dieser Passkey ist schon registriert.",
  "This passkey could not be registered; please begin again.":
    "Dieser Passkey konnte nicht registriert werden. Bitte beginnen Sie noch einmal.",
  "This proxy binding has no callback URL.": "Diese Adresse hat keinen Webhook.",
  "This address needs no verification.": "Diese Adresse braucht keine Bestätigung.",
  "This address is confirmed already.": "Diese Adresse ist schon bestätigt.",
  "This link has expired or has already been used.": "Dieser Link ist abgelaufen oder wurde schon verwendet.",
  "This link is not valid, or no longer.": "Dieser Link ist abgelaufen oder wurde schon verwendet.",
  "Another account has proved {}, and its record is still published: remove it there, or from the DNS.":
    "Ein anderes Konto hat {} nachgewiesen, und dessen Eintrag ist noch veröffentlicht: Entfernen Sie ihn dort oder aus dem DNS.",
  "Enough imports are at work: wait for one to end.":
    "Es laufen schon genug Importe: Warten Sie, bis einer zu Ende ist.",
  "It failed: begin again; what it has made stays.":
    "Der Import ist fehlgeschlagen. Beginnen Sie noch einmal: Was er erstellt hat, bleibt.",
  "It is not ready to be started.": "Der Import kann noch nicht gestartet werden.",
  "This account has a second factor; turn it off before setting up another.":
    "Dieses Konto hat eine Zwei-Faktor-Authentifizierung: Deaktivieren Sie sie, bevor Sie eine neue einrichten.",
  "This account's second factor is confirmed already.":
    "Die Zwei-Faktor-Authentifizierung dieses Kontos ist schon bestätigt.",
  "This is your own account: another operator can disable it.":
    "Das ist Ihr eigenes Konto: Ein anderer Betreiber kann es sperren.",
  "This is for operators of the service.": "Das ist den Betreibern des Dienstes vorbehalten.",
  "Only the operator of this service creates accounts.": "Konten erstellt hier nur der Betreiber des Dienstes.",
  "Sign-up is by invitation only, and this one is not good, or no longer.":
    "Die Registrierung ist nur mit Einladung möglich, und diese gilt nicht oder nicht mehr.",
  "This service sends no mail of accounts.": "Dieser Dienst versendet keine E-Mails seiner Konten.",
  "One of the contacts is blocked.": "Einer der Kontakte ist blockiert.",
  "One of the recipients has not written to this address yet.":
    "Einer der Empfänger hat noch nicht an diese Adresse geschrieben.",
  "Must have at least {} characters.": "Es müssen mindestens {} Zeichen sein.",
  "Must have 1 to {} bytes of valid Unicode.": "Das ist zu lang oder hat ungültige Zeichen.",
  "Must have 1 to {} characters, and no control characters.": "Es müssen 1 bis {} Zeichen sein, ohne Steuerzeichen.",
  "Has more than {} characters.": "Das sind mehr als {} Zeichen.",
  "Has more than {} addresses.": "Das sind mehr als {} Adressen.",
  "Has more than {} entries.": "Das sind mehr als {} Einträge.",
  "Has more than {} values.": "Das sind mehr als {} Werte.",
  "Has no value: leave the condition out, or give it one.":
    "Geben Sie einen Wert an, oder lassen Sie die Bedingung weg.",
  "Is too easy to guess. Use a longer one, such as a few words that have nothing to do with each other.":
    "Das ist zu leicht zu erraten. Nehmen Sie ein längeres, etwa einige Wörter, die nichts miteinander zu tun haben.",
  "Must be an email address or a name of 1 to {} characters, without control characters and without spaces around it.":
    "Geben Sie eine E-Mail-Adresse an oder einen Namen von 1 bis {} Zeichen.",
  "Must be your own email address, not one of this service.":
    "Geben Sie Ihre eigene E-Mail-Adresse an, keine dieses Dienstes.",
  "The part before the @ is reserved, or looks like a reserved one.":
    "Der Teil vor dem @ ist reserviert oder sieht einem reservierten ähnlich.",
  "The part before the @ must be written in one script that is in common use.":
    "Der Teil vor dem @ muss in einer einzigen, gebräuchlichen Schrift geschrieben sein.",
  "The address is one of the service itself, and mail cannot be forwarded to it.":
    "Das ist eine Adresse des Dienstes selbst: An sie kann nichts weitergeleitet werden.",
  "The address is an internal one, and patterns and rules cannot forward mail to it.":
    "Das ist eine interne Adresse: An sie können Muster und Regeln nichts weiterleiten.",
  "The address is one of your own: a contact is somebody else.":
    "Das ist Ihre eigene Adresse: Ein Kontakt ist jemand anderes.",
  "The address is no real address of yours that is verified.": "Das ist keine Ihrer bestätigten Adressen.",
  "The address is there twice, once enabled and once not.": "Diese Adresse steht doppelt da, einmal an und einmal aus.",
  "The address is empty.": "Geben Sie eine Adresse an.",
  "The address has more than {} octets.": "Diese Adresse ist zu lang.",
  "The address has more than {} octets before the @.": "Der Teil vor dem @ ist zu lang.",
  "The address has a quoted part before the @, which is not supported.":
    "Ein Teil in Anführungszeichen vor dem @ wird nicht unterstützt.",
  "The address is no valid email address: it has no @.": "Das ist keine E-Mail-Adresse: Das @ fehlt.",
  "The address is no valid email address: check the part before the @.":
    "Das ist keine gültige E-Mail-Adresse: Prüfen Sie den Teil vor dem @.",
  "The address is no valid email address: check the domain after the @.":
    "Das ist keine gültige E-Mail-Adresse: Prüfen Sie die Domain nach dem @.",
  "The domain is a public suffix: strangers register names under it.":
    "Unter dieser Domain registrieren Fremde ihre Namen: Geben Sie eine an, die Ihnen gehört.",
  "The domain is no host name.": "Das ist kein Domainname.",
  "The domain is one of this service, or under or above it.": "Diese Domain gehört zu diesem Dienst.",
  "The domain has more than {} characters.": "Diese Domain hat mehr als {} Zeichen.",
  "Is neither an address nor a domain.": "Das ist weder eine Adresse noch eine Domain.",
  "Is a reverse address: give the contact's own.":
    "Das ist eine Antwortadresse: Geben Sie die eigene Adresse des Kontakts an.",
  "Is a real address of your own.": "Das ist Ihre eigene Adresse.",
  "Is for mail that is forwarded.": "Das gilt nur für E-Mails, die weitergeleitet werden.",
};

const patterns = Object.entries(reasons).map(([said, german]) => {
  const pattern = said.replaceAll(/[.?()]/g, "\\$&").replace("{}", "(.+)");
  return { pattern: new RegExp(`^${pattern}$`, "i"), german };
});

/** A sentence of the server in German; undefined where it is one that no person should come to see. */
export function reasonOf(said: string): string | undefined {
  for (const { pattern, german } of patterns) {
    const found = pattern.exec(said);
    if (found) return german.replace("{}", () => found[1] ?? "");
  }
  return undefined;
}
