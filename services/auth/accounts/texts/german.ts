import type { MailTexts } from "./english.ts";

export const german: MailTexts = {
  confirmation: {
    subject: (serviceName) => `Bestätigen Sie Ihre Adresse für ${serviceName}`,
    text: ({ serviceName, recipient, link, lifetimeHours }) =>
      `Jemand hat sich bei ${serviceName} mit dieser Adresse, ${recipient}, registriert.

Wenn Sie das waren, öffnen Sie innerhalb von ${lifetimeHours} Stunden diesen Link, und geben Sie das Passwort ein, das Sie gewählt haben:

    ${link}

Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Ohne Ihre Bestätigung gibt es kein Konto.
`,
  },
  accountExists: {
    subject: (serviceName) => `Sie haben bei ${serviceName} schon ein Konto`,
    text: ({ serviceName, recipient, publicUrl }) =>
      `Jemand hat sich bei ${serviceName} mit dieser Adresse, ${recipient}, registriert. Für sie gibt es schon ein Konto, und es wurde nichts geändert.

Wenn Sie das waren, melden Sie sich an:

    ${publicUrl}/

Wenn Sie Ihr Passwort vergessen haben, wählen Sie ein neues:

    ${publicUrl}/forgotten

Wenn Sie es nicht waren, ignorieren Sie diese E-Mail.
`,
  },
  reset: {
    subject: (serviceName) => `Wählen Sie ein neues Passwort für ${serviceName}`,
    text: ({ serviceName, recipient, link, lifetimeHours }) =>
      `Jemand hat ein neues Passwort für das Konto ${recipient} bei ${serviceName} angefordert.

Wenn Sie das waren, öffnen Sie innerhalb von ${lifetimeHours === 1 ? "einer Stunde" : `${lifetimeHours} Stunden`} diesen Link, und wählen Sie eines:

    ${link}

Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.
`,
  },
};
