import type { Texts } from "../english/index.ts";

export const session: Texts["session"] = {
  signIn: "Anmelden",
  emailAddress: "E-Mail-Adresse",
  accountDeleted: "Ihr Konto und alles darin wurde gelöscht.",
  forgotPassword: "Passwort vergessen?",
  backToSignIn: "Zurück zur Anmeldung",
  newHere: "Neu hier?",
  createAccount: "Konto erstellen",
  byInvitation: "Registrierung nur auf Einladung.",
  haveAccount: "Sie haben ein Konto?",
  signUpLead:
    "Geben Sie jedem Shop und jedem Newsletter eine eigene Adresse. E-Mail erreicht Sie; Ihre echte Adresse bleibt privat.",
  yourEmailAddress: "Ihre E-Mail-Adresse",
  yourEmailAddressHint: "Hierhin wird weitergeleitet. Wir senden einen Link zur Bestätigung, dass sie Ihnen gehört.",
  passwordHint: "Mindestens 8 Zeichen. Ein paar zufällige Wörter lassen sich leicht merken.",
  checkYourEmail: "Sehen Sie in Ihr Postfach",
  checkYourEmailLead: (username) => (
    <>Sehen Sie in Ihr Postfach. Wir haben {username} einen Link gesendet, der zwei Tage gilt.</>
  ),
  checkSpam: "Nichts angekommen? Sehen Sie im Spam-Ordner nach, oder prüfen Sie die Adresse.",
  useDifferentAddress: "Andere Adresse verwenden",
  chooseNewPassword: "Neues Passwort wählen",
  resetHint: "Die Adresse, mit der Sie sich registriert haben. Wir senden ihr einen Link.",
  sendLink: "Link senden",
  resetSent: (username) =>
    `Falls ${username} ein Konto hat, haben wir einen Link gesendet, mit dem Sie ein neues Passwort wählen.`,
  twoFactor: "Zwei-Faktor-Authentifizierung",
  useDifferentAccount: "Anderes Konto verwenden",
  signInWithPasskey: "Mit Passkey anmelden",
  notConfirmed: "Ihre Adresse ist nicht bestätigt",
  confirmTitle: "Bestätigen Sie Ihre Adresse.",
  confirmLead: (username) => `E-Mail wird an ${username} weitergeleitet, sobald Sie unseren Link geöffnet haben.`,
  resendLink: "Link erneut senden",
  resent: "Gesendet.",
  landing: {
    title: "Eine E-Mail-Adresse für jeden Laden, jede App und jeden Test",
    lead: "Geben Sie jedem seine eigene Adresse. E-Mail erreicht Sie, Ihre echte Adresse bleibt verborgen, und wer zu viel sendet, wird abgeschaltet.",
    points: {
      addresses: {
        title: "Adressen mit zwei Klicks",
        text: "An Sie weitergeleitet, hier zum Lesen aufbewahrt, oder beides. Eine ausgeschaltete leitet nichts mehr weiter.",
      },
      replies: {
        title: "Antworten, ohne sich zu zeigen",
        text: "Mit Ihrem eigenen E-Mail-Programm; die andere Seite sieht nur die Adresse, die Sie ihr gaben.",
      },
      domains: {
        title: "Eigene Domains und Regeln",
        text: "Adressen, die mit ihrer ersten E-Mail entstehen, gesperrte Absender, Rechnungen, die an jemand anderen gehen.",
      },
      programs: {
        title: "Auch für Programme gemacht",
        text: "Ein Webhook für jede E-Mail, eine API für alles, und Tests, die zugesandte Codes selbst lesen.",
      },
    },
    documentation: "API-Dokumentation",
  },
};
