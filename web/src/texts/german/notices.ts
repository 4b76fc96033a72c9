import type { Texts } from "../english/index.ts";
import { count } from "./count.ts";

export const notices: Texts["notices"] = {
  title: "Benachrichtigungen",
  lead: "Von diesem Browser, solange eine Seite von Postern offen ist und Sie sie nicht ansehen: wer schrieb, und der Betreff.",
  toggle: "Über neue E-Mails und Fehlschläge benachrichtigen",
  refused:
    "Ihr Browser sperrt Benachrichtigungen dieser Website. Erlauben Sie sie in seinen Einstellungen für diese Website, und versuchen Sie es dann noch einmal.",
  unable: "Dieser Browser zeigt keine Benachrichtigungen einer offenen Seite an.",
  first: "Benachrichtigungen sind an",
  firstBody: "Neue E-Mails und Fehlschläge werden so angezeigt.",
  arrived: (number: number) => count(number, "neue E-Mail", "neue E-Mails"),
  failed: (number: number) =>
    count(number, "E-Mail konnte nicht zugestellt werden", "E-Mails konnten nicht zugestellt werden"),
};
