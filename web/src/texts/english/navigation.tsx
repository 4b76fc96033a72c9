import type { ReactNode } from "react";

export const navigation = {
  addresses: "Addresses",
  inbox: "Inbox",
  failures: "Failures",
  rules: "Rules",
  domains: "Domains",
  webhooks: "Webhooks",
  settings: "Settings",
  operator: "Operator",
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
