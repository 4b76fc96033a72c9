import type { Texts } from "../english/index.ts";

export const shell: Texts["shell"] = {
  jump: "Suchen oder springen zu",
  jumpKeys: "Strg K",
  jumpHint: "Adresse, Seite oder Befehl finden",
  more: "Mehr",
  commands: "Befehle",
  addresses: "Adressen",
  places: "Gehe zu",
  actions: "Aktionen",
  nothingFits: "Nichts passt.",
  newAddress: "Neue Adresse erstellen",
  shortcuts: "Tastenkürzel",
  documentation: "API-Dokumentation",
  search: "Auf dieser Seite suchen",
  goTo: (place) => `Zu „${place}“`,
  letters: "Einzelne Buchstaben sind Tastenkürzel",
  chooseAddress: "Wählen Sie eine Adresse",
  chooseAddressInbox: "Ihre Seite zeigt die E-Mails, die sie behält.",
  chooseAddressFailures: "Jede E-Mail sagt, was aus ihrer Zustellung wurde.",
};
