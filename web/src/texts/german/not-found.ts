import type { Texts } from "../english/index.ts";

export const notFound: Texts["notFound"] = {
  title: "Seite nicht gefunden",
  lead: "Unter dieser Adresse gibt es keine Seite, oder ihr Inhalt wurde entfernt.",
  back: "Zu Ihren Adressen",
};
