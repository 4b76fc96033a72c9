import type { Texts } from "../english/index.ts";

export const proof: Texts["proof"] = {
  title: "Bestätigen Sie, dass Sie es sind",
  lead: "Geben Sie zu Ihrer Sicherheit Ihr Passwort ein. Wir fragen 10 Minuten lang nicht noch einmal.",
  signInAgain: "Erneut anmelden",
  sessionEnded:
    "Ihre Sitzung ist abgelaufen. Melden Sie sich an, um weiterzumachen; was Sie eingegeben haben, ist noch da.",
  usePasskey: "Passkey verwenden",
};
