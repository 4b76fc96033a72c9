import type { Texts } from "../english/index.ts";

export const navigation: Texts["navigation"] = {
  addresses: "Adressen",
  inbox: "Posteingang",
  failures: "Fehlschläge",
  rules: "Regeln",
  domains: "Domains",
  webhooks: "Webhooks",
  settings: "Einstellungen",
  operator: "Betrieb",
  signOut: "Abmelden",
};

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
