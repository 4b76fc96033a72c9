import { reasonTeller } from "../reason-of.ts";

/**
 * The server's sentences that a person of the web application may come to see, and what they are in German: "{}" stands for what
 * differs from case to case. Exported for tests: test/lint/refusal-texts holds them to what services say.
 */
export const reasons: Readonly<Record<string, string>> = {
  "No more than {} proxy addresses are available to an account.": "Ein Konto kann höchstens {} Adressen haben.",
  "No more than {} new proxy addresses can be chosen within 24 hours.":
    "Innerhalb von 24 Stunden können höchstens {} neue Adressen selbst gewählt werden.",
  "No more than {} domains are available to an account.": "Ein Konto kann höchstens {} Domains haben.",
  "No more than {} rules can be for one address, those of its domain and of the account included.":
    "Für eine Adresse kann es höchstens {} Regeln geben, die ihrer Domain und die des Kontos eingerechnet.",
  "No more than {} rules are available to an account.": "Ein Konto kann höchstens {} Regeln haben.",
  "No more than {} contacts of an account can come from imports.":
    "Höchstens {} Kontakte eines Kontos können aus Importen stammen.",
  "An account may have {} recorders: remove one that you no longer need.":
    "Ein Konto kann {} Test-Endpunkte haben: Entfernen Sie einen, den Sie nicht mehr brauchen.",
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
  "Must have at least {} characters.": "Es müssen mindestens {} Zeichen sein.",
  "Must have 1 to {} bytes of valid Unicode.": "Es müssen 1 bis {} Bytes sein, ohne ungültige Zeichen.",
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
  "Is for mail that is forwarded.": "Das gilt nur für E-Mails, die weitergeleitet werden.",
  "Is missing.": "Diese Angabe fehlt.",
  "Is empty.": "Diese Angabe fehlt.",
  "Is less than 0.": "Das ist kleiner als 0.",
  "Must be from 0 to {}.": "Es muss eine Zahl von 0 bis {} sein.",
  "Must be a moment to come, as ISO 8601.": "Geben Sie einen Zeitpunkt in der Zukunft an.",
  "Must be an absolute http or https URL.":
    "Geben Sie eine vollständige Adresse an, die mit http:// oder https:// beginnt.",
  "Its host is a loopback, private or otherwise special address, which callbacks may not reach.":
    "Das ist eine lokale, private oder andere besondere Adresse: Dorthin darf kein Webhook gehen.",
  "Its domain must be {} or a verified domain of yours.":
    "Nach dem @ muss {} stehen oder eine Domain, die Sie nachgewiesen haben.",
  "Must be {} or a verified domain of yours.": "Es muss {} sein oder eine Domain, die Sie nachgewiesen haben.",
  "Must not be empty: a binding needs at least one real address.":
    "Eine Adresse leitet mindestens an eine andere weiter: Die letzte kann nicht entfernt werden.",
  "Has a line end or another control character.": "Zeilenumbrüche und andere Steuerzeichen sind hier nicht möglich.",
  "Has a line end or another character that is not shown.":
    "Zeilenumbrüche und andere unsichtbare Zeichen sind hier nicht möglich.",
  "Is neither an IP address nor a network such as 192.0.2.0/24.":
    "Das ist weder eine IP-Adresse noch ein Netz wie 192.0.2.0/24.",
  "Have more than {} characters, with those of the rules beside it.":
    "Die Bedingungen haben, zusammen mit denen der anderen Regeln, mehr als {} Zeichen.",
  "Cannot be beside {}.": "Das geht nicht zusammen mit {}.",
  "The email names nobody who could be blocked.": "Die E-Mail nennt niemanden, der blockiert werden könnte.",
  "Has characters that no part before an @ has here.": "Darin sind Zeichen, die hier vor keinem @ stehen.",
  "Has braces that are not closed, not opened, or nested.":
    "Eine geschweifte Klammer darin ist nicht geschlossen, nicht geöffnet oder steht in einer anderen.",
  "All of them together have more than {} characters.": "Zusammen haben die Muster mehr als {} Zeichen.",
  "The keys of this domain were changed: the former ones stay until {}, and can be changed again then.":
    "Die Schlüssel dieser Domain wurden schon gewechselt: Die vorigen bleiben bis {}. Erst dann können sie wieder gewechselt werden.",
  "Is no JSON.": "Das ist keine JSON-Datei.",
  "Is no export of an account: {}: {}.": "Das ist kein Export eines Kontos: {}: {}.",
  "Is no CSV file: {}.": "Das ist keine CSV-Datei: {}.",
  "Is empty: a line with the names of the columns was expected.":
    "Die Datei ist leer: Erwartet wird eine Zeile mit den Namen der Spalten.",
  "Its first line names no column of addresses, such as alias or email.":
    "Die erste Zeile nennt keine Spalte mit Adressen, etwa alias oder email.",
  "Has more than {} columns.": "Das sind mehr als {} Spalten.",
  "No more than its first {} addresses were read.": "Nur die ersten {} Adressen wurden gelesen.",
  "It is there twice.": "Diese Zeile steht doppelt da.",
  "{} is no domain that you have proved here.": "{} ist keine Domain, die Sie hier nachgewiesen haben.",
  "Is no domain of yours.": "Das ist keine Ihrer Domains.",
  "Publish its records to prove it.": "Veröffentlichen Sie ihre Einträge im DNS, um sie nachzuweisen.",
  "You have it already: it stays as it is.": "Sie haben sie schon: Sie bleibt, wie sie ist.",
  "Its proxy address was not made.": "Die zugehörige Adresse wurde nicht erstellt.",
  "This proxy address is taken.": "Diese Adresse gibt es schon.",
  "proxyAddress: there is such an address already.": "Diese Adresse gibt es schon.",
  "No more than {} proxy addresses are available.": "Ein Konto kann höchstens {} Adressen haben.",
  "It could not be read.": "Der Import konnte nicht gelesen werden.",
  "It could not be made.": "Das konnte nicht erstellt werden.",
  "There is nothing to read it with.": "Es fehlen Adresse oder Schlüssel, um den Import zu lesen.",
  "The service answered {}: it refused the key.": "Der Dienst antwortete {}: Er nahm den Schlüssel nicht an.",
  "The service answered {}.": "Der Dienst antwortete {}.",
  "What the service answered is no list of aliases.": "Was der Dienst antwortete, ist keine Liste von Adressen.",
};

/** A sentence of the server in German; undefined where we have none for it. */
export const reasonOf = reasonTeller(reasons);
