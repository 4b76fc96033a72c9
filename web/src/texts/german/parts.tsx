import type { Texts } from "../english/index.ts";

export const tryIt: Texts["tryIt"] = {
  subject: "Hallo von meiner neuen Adresse",
  body: "Eine erste E-Mail durch Postern.",
  write: (address, link) => (
    <>
      Schreiben Sie an {address} aus einem beliebigen E-Mail-Programm, oder{" "}
      {link("öffnen Sie Ihres mit einer Test-E-Mail")}. Sie erscheint hier nach wenigen Sekunden.
    </>
  ),
  local: (address) => (
    <>
      Postern läuft auf Ihrem Rechner, daher erreicht E-Mail von außen diese Adresse nicht. Dieser Befehl schickt an{" "}
      {address} eine Test-E-Mail, die hier nach einer Sekunde erscheint.
    </>
  ),
  theCommand: "Den Befehl",
};

export const batches: Texts["batches"] = {
  done: (done, total) =>
    total === undefined
      ? `${done.toLocaleString("de")} erledigt`
      : `${done.toLocaleString("de")} von ${total.toLocaleString("de")} erledigt`,
  stop: "Anhalten",
  stopping: "Wird angehalten…",
};

export const addressChoice: Texts["addressChoice"] = {
  label: "Adresse",
  all: "Alle Adressen",
  chosen: "Diese Adresse",
  choose: "Adresse wählen",
  search: "Ihre Adressen durchsuchen",
  searching: "Ihre Adressen werden durchsucht",
  nothingFits: "Keine Adresse passt.",
};
