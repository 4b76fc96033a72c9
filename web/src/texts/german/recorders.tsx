import type { Texts } from "../english/index.ts";
import { count } from "./count.ts";

export const recorders: Texts["recorders"] = {
  title: "Test-Endpunkte",
  one: "Test-Endpunkt",
  create: "Neuer Test-Endpunkt",
  lead: "Ein Test-Endpunkt ist eine URL, die jede Anfrage annimmt und anzeigt. Tragen Sie ihn als Webhook-URL einer Adresse ein, um genau zu sehen, was Ihr eigener Server bekäme.",
  loading: "Ihre Test-Endpunkte werden geladen",
  what: "Die Liste Ihrer Test-Endpunkte",
  none: "Sie haben noch keine Test-Endpunkte.",
  itsCallUrl: "Die Aufruf-URL",
  created: (at, last) => (
    <>
      Erstellt {at}
      {last}
    </>
  ),
  lastCalled: (method, at) => (
    <>
      ; zuletzt aufgerufen mit {method} {at}
    </>
  ),
  notCalled: "; noch nicht aufgerufen",
  callUrl: "Aufruf-URL",
  callUrlHint: "Nimmt jede Methode an, ohne Anmeldung.",
  getUrl: "Abruf-URL",
  getUrlHint: "Gibt einem Programm die letzte Anfrage.",
  calls: "Anfragen",
  whatCalls: "Die Liste der Anfragen",
  callCount: (number) => count(number, "Anfrage", "Anfragen"),
  waiting: "Warten auf die erste Anfrage. Sie erscheint hier von selbst.",
  bodyOf: (place) => `Inhalt der Anfrage ${place}`,
  noBody: "Kein Inhalt.",
  bodyCut: "Der Inhalt ist länger als das, was angezeigt wird.",
  removeThis: "Diesen Test-Endpunkt entfernen",
  removeTitle: "Diesen Test-Endpunkt entfernen?",
  removeAction: "Test-Endpunkt entfernen",
  removeLead: "Seine Anfragen werden gelöscht. Spätere Anfragen an seine URL werden mit „nicht gefunden“ beantwortet.",
};
