interface LinkSaid {
  serviceName: string;
  recipient: string;
  link: string;
  lifetimeHours: number;
}

interface ExistsSaid {
  serviceName: string;
  recipient: string;
  publicUrl: string;
}

/** What mails with links say. */
export const english = {
  confirmation: {
    subject: (serviceName: string) => `Confirm your address for ${serviceName}`,
    text: ({ serviceName, recipient, link, lifetimeHours }: LinkSaid) =>
      `Somebody signed up for ${serviceName} with this address, ${recipient}.

If that was you, open this link within ${lifetimeHours} hours and enter the password that you chose:

    ${link}

If it was not you, ignore this email: without your confirmation there is no account.
`,
  },
  accountExists: {
    subject: (serviceName: string) => `You already have an account at ${serviceName}`,
    text: ({ serviceName, recipient, publicUrl }: ExistsSaid) =>
      `Somebody signed up for ${serviceName} with this address, ${recipient}. It already has an account, and nothing was changed.

If that was you, sign in:

    ${publicUrl}/

If you have forgotten your password, choose a new one:

    ${publicUrl}/forgotten

If it was not you, ignore this email.
`,
  },
  reset: {
    subject: (serviceName: string) => `Choose a new password for ${serviceName}`,
    text: ({ serviceName, recipient, link, lifetimeHours }: LinkSaid) =>
      `Somebody asked for a new password for the account ${recipient} at ${serviceName}.

If that was you, open this link within ${lifetimeHours === 1 ? "an hour" : `${lifetimeHours} hours`} and choose one:

    ${link}

If it was not you, ignore this email: your password stays as it is.
`,
  },
};

/** All languages have the same texts. */
export type MailTexts = Readonly<typeof english>;
