import type { ReactNode } from "react";

export const settings = {
  title: "Settings",
  apiToken: "API token",
  apiTokenLead: (link: (text: string) => ReactNode) => (
    <>
      For your own programs, in the <code>Token</code> header. {link("How to use the API")}
    </>
  ),
  theApiToken: "the API token",
  regenerateToken: "Regenerate token",
  regenerateTokenTitle: "Regenerate token?",
  regenerateTokenLead: "The current token stops working immediately.",
  webhookSecret: "Webhook secret",
  webhookSecretLead: "Webhook calls are signed with it (Standard Webhooks), so your server can tell they come from us.",
  theWebhookSecret: "the webhook secret",
  regenerateSecret: "Regenerate secret",
  regenerateSecretTitle: "Regenerate secret?",
  regenerateSecretLead:
    "For a day, calls are signed with both secrets, so that your server can change over. Then the old one stops working.",
  twoFactor: "Two-factor authentication",
  twoFactorLead: "Signing in asks for a code from your authenticator app as well as your password.",
  setUpTwoFactor: "Set up two-factor authentication",
  enabled: "Enabled",
  disable: "Disable",
  codeToDisable: "Code to disable it",
  scan: "Scan this with your authenticator app, or type the key into it. Then enter the code it shows.",
  qrCode: "The key as a QR code",
  theKey: "the key",
  enable: "Enable",
  codesTitle: "Two-factor authentication is on.",
  codesLead:
    "Store these somewhere safe, where you can find them without your authenticator. Each lets you in once; they are not shown again.",
  theCodes: "the recovery codes",
  codesSaved: "I've saved them",
  password: "Password",
  passwordLead: "A new password signs you out on all other devices.",
  currentPassword: "Current password",
  alsoRevoke: "Also regenerate the API token and the webhook secret",
  passwordChanged: "Password updated.",
  changePassword: "Change password",
  sessions: "Sessions",
  sessionsLead: "Where you are signed in.",
  sessionFrom: (browser: string | null, address: ReactNode) => (
    <>
      {browser ? `${browser}, from` : "From"} {address}
    </>
  ),
  thisDevice: "This device",
  sessionSince: (since: ReactNode, until: ReactNode) => (
    <>
      Since {since}, until {until}
    </>
  ),
  signOut: "Sign out",
  signOutWhat: (browser: string | null, address: string) => `Sign out ${browser ?? "the session"} from ${address}`,
  signOutOthers: "Sign out other sessions",
  data: "Your data",
  dataLead: "All your data as one JSON file: addresses, email, deliveries and test endpoints.",
  download: "Download",
  storage: (used: string) => `Stored email: ${used}.`,
  storageOf: (used: string, limit: string) => `Stored email: ${used} of ${limit}.`,
  lessThan: (amount: string) => `less than ${amount}`,
  storageFull: " New email is not stored until you delete some.",
  deleteAccount: "Delete account",
  deleteAccountLead: "Your account and everything in it is deleted permanently.",
  deleteAccountTitle: "Delete your account?",
  deleteAccountRest:
    "Your addresses reject email from now on, and nobody else ever gets them. Stored email, attachments, test endpoints, tokens and sessions are deleted. This can't be undone; download your data first if you want to keep any.",
  deleteForGood: "Delete permanently",
  language: "Language",
  languageLead: "For this browser only.",
};
