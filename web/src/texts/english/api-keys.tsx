import type { ReactNode } from "react";

export const apiKeys = {
  title: "API keys",
  lead: "For password managers and programs: each key can do only what you allow, and you can revoke it on its own.",
  create: "Create API key",
  nameHint: "For example: “Bitwarden on my laptop”",
  mayDo: "This key may",
  /** By the scopes of the API, in the order in which they are shown. */
  scopes: {
    "alias:create": "Create addresses",
    "alias:read": "See addresses",
    "alias:write": "Change and remove addresses",
    "mail:read": "Read email",
    "mail:send": "Send email",
    admin: "Do everything in this account",
  } as Readonly<Record<string, string>>,
  expiry: "Expires on",
  expiryHint: "Leave empty for a key that doesn't expire.",
  shownOnce: "This is your new key. Copy it now: it is not shown again.",
  theKey: "the API key",
  created: (at: ReactNode) => <>Created {at}</>,
  notUsed: "; not used yet",
  lastUsed: (at: ReactNode) => <>; last used {at}</>,
  expires: (at: ReactNode) => <>; expires {at}</>,
  revoke: "Revoke",
  revokeWhat: (name: string) => `Revoke ${name}`,
  revokeTitle: "Revoke this key?",
  revokeAction: "Revoke key",
  revokeLead: (name: ReactNode) => <>Programs that use {name} stop working immediately.</>,
};
