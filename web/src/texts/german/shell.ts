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
};
