import type { Texts } from "../english/index.ts";

export const passkeys: Texts["passkeys"] = {
  title: "Passkeys",
  lead: "Melden Sie sich mit Fingerabdruck, Gesicht oder PIN an statt mit Passwort und Code. Ein Passkey bleibt auf Ihren Geräten.",
  add: "Passkey hinzufügen",
  nameHint: "Das Gerät, auf dem er liegt: „Mein Telefon“.",
  impossible: "Passkeys brauchen einen Browser, der sie unterstützt, und einen Dienst mit Namen und https.",
  created: (at) => <>Erstellt {at}</>,
  notUsed: "; noch nicht verwendet",
  lastUsed: (at) => <>; zuletzt verwendet {at}</>,
  backedUp: "; auf Ihren Geräten synchronisiert",
  renameWhat: (name) => `${name} umbenennen`,
  removeWhat: (name) => `${name} entfernen`,
  removeTitle: "Diesen Passkey entfernen?",
  removeAction: "Passkey entfernen",
  removeLead: (name) => (
    <>
      Mit {name} kann man sich nicht mehr anmelden. Auf Ihrem Gerät liegt er noch: entfernen Sie ihn auch dort.
      Sitzungen, die mit ihm begannen, laufen weiter; beenden Sie sie unter „Sitzungen“.
    </>
  ),
};
