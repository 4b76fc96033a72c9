import type { ReactNode } from "react";

export const common = {
  add: "Add",
  cancel: "Cancel",
  confirm: "Confirm",
  continue: "Continue",
  delete: "Delete",
  hide: "Hide",
  loading: "Loading",
  newPassword: "New password",
  password: "Password",
  remove: "Remove",
  rename: "Rename",
  save: "Save",
  show: "Show",
  showMore: "Show more",
  tryAgain: "Try again",
  yourPassword: "Your password",
  name: "Name",
  code: "Code",
  codeHint: "From your authenticator app, or one of your recovery codes.",
  clearSearch: "Clear search",
  skipToContent: "Skip to content",
  mainNavigation: "Main",
  dismiss: "Dismiss",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Couldn't copy",
  copyWhat: (what: string) => `Copy ${what}`,
  copiedWhat: (what: string) => `Copied ${what}.`,
  copyFailedWhat: (what: string) => `Couldn't copy ${what}.`,
  useTheme: (theme: "light" | "dark"): string => (theme === "light" ? "Use light theme" : "Use dark theme"),
  language: "Language",
};

export const errors = {
  unforeseen: "Something went wrong. Please try again.",
  offline: "You're offline.",
  notDone: "You're offline, so this wasn't done. Try again once you're back online.",
  missing: (what: string) => `${what} can't be shown right now. Everything else on this page works.`,
  pageFailed: "This page stopped working",
  pageFailedLead: "Something went wrong while showing it. Your addresses and your email are not affected.",
  reload: "Reload the page",
  /** By the graph's kind, in place of the server's sentence. */
  byKind: {
    AddressTaken: "That address already exists. Choose another.",
    WrongUserOrPassword: "Incorrect email or password.",
    Unavailable: "Part of the service is unavailable right now. Please try again in a moment.",
    Unreachable: "We couldn't reach the server.",
    PasskeyAlreadyThere: "That device already has a passkey for this account.",
    PasskeyNotMade: "No passkey was created: it was cancelled, timed out, or this device can't create one.",
    PasskeyNotUsed: "No passkey was used: it was cancelled, timed out, or there is none for this site here.",
    SourceGone: "The source can't be loaded. It may have been deleted.",
  } as Readonly<Record<string, string>>,
};

export const navigation = {
  addresses: "Addresses",
  inbox: "Inbox",
  failures: "Failures",
  rules: "Rules",
  domains: "Domains",
  webhooks: "Webhooks",
  settings: "Settings",
  signOut: "Sign out",
};

export const notFound = {
  title: "Page not found",
  lead: "There's no page at this address, or what it showed has been removed.",
  back: "Go to your addresses",
};

export const tryIt = {
  subject: "Hello from my new address",
  body: "A first email through Postern.",
  write: (address: ReactNode, link: (text: string) => ReactNode) => (
    <>
      Write to {address} from any email program, or {link("open yours with a test email")}. It appears here within
      seconds.
    </>
  ),
  local: (address: ReactNode) => (
    <>
      You're running locally, so outside mail can't reach this address. Run this to send a test to {address}; it appears
      here within a second.
    </>
  ),
  theCommand: "the command",
};
