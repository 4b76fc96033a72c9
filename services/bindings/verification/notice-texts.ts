import type { Language } from "../../platform/rpc/language.ts";

interface Said {
  serviceName: string;
  proxyAddress: string;
  recipient: string;
  link: string;
  lifetimeHours: number;
}

const english = {
  subject: "Confirm that mail may be forwarded to you",
  text: ({ serviceName, proxyAddress, recipient, link, lifetimeHours }: Said) =>
    `Somebody who uses ${serviceName} would like mail for

    ${proxyAddress}

to be forwarded to this address, ${recipient}.

If that was you, open this link within ${lifetimeHours} hours and confirm:

    ${link}

If it was not, there is nothing to do: without your confirmation nothing is forwarded to you.
`,
};

const german: typeof english = {
  subject: "Bestätigen Sie, dass E-Mails an Sie weitergeleitet werden dürfen",
  text: ({ serviceName, proxyAddress, recipient, link, lifetimeHours }) =>
    `Jemand, der ${serviceName} nutzt, möchte, dass E-Mails an

    ${proxyAddress}

an diese Adresse, ${recipient}, weitergeleitet werden.

Wenn Sie das waren, öffnen Sie innerhalb von ${lifetimeHours} Stunden diesen Link, und bestätigen Sie es:

    ${link}

Wenn Sie es nicht waren, müssen Sie nichts tun: Ohne Ihre Bestätigung wird nichts an Sie weitergeleitet.
`,
};

/** What the mail with a verification link says, by language. */
export const noticeTexts: Readonly<Record<Language, typeof english>> = { en: english, de: german };
