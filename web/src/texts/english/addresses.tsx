import type { ReactNode } from "react";
import { count } from "./count.ts";

export const board = {
  title: "Your addresses",
  newAddress: "New address",
  search: "Search addresses, labels and targets",
  loading: "Loading your addresses",
  what: "Your addresses",
  quota: (used: number, available: number) => `${used} of ${available} addresses used`,
  received: (number: number) => count(number, "email received", "emails received"),
  webhook: "Webhook",
  nextStep: {
    create: "Start with an address",
    send: "Now send it an email",
    read: "Read your first email",
    webhook: "Connect your own programs",
  },
  steps: "First steps",
  stepNames: {
    confirm: "Confirm your own address",
    create: "Create an address",
    send: "Send it an email",
    read: "Read it here",
    webhook: "Optional: have your server called",
  },
  stepDone: " (done)",
  createFirst: "Create your first address",
  readFirst: "Open its inbox",
  webhookStep: (link: (text: string) => ReactNode) => (
    <>A webhook is called with each new email. {link("Set one for this address")}, or put this card away.</>
  ),
  address: "Address",
  addressPlaceholder: "Generated for you",
  generateAnother: "Generate another",
  forwardTo: "Forward to",
  forwardToHint: "Separate several addresses with commas. Leave empty to keep mail only here.",
  description: "Description",
  descriptionHint: "For example: “Netflix account”",
  keepCopy: "Keep a copy here",
  create: "Create",
};

export const binding = {
  title: "Address",
  forwardsTo: "Forwards to",
  forwardToAnother: "Forward to another address",
  forwardToAnotherHint: "We'll send it a confirmation link. Email is forwarded once the link was opened.",
  linkOnItsWay: "Confirmation link sent.",
  removeWhat: (address: string) => `Remove ${address}`,
  resendLink: "Resend link",
  resendLinkTo: (address: string) => `Resend link to ${address}`,
  linkSent: "Link sent.",
  suspended: "Switched off: it rejected email permanently",
  verified: "Verified",
  notVerified: "Not verified yet",
  notForwarded: "Not forwarded",
  refused: (number: number, at: ReactNode, reason: string) => (
    <>
      {number === 1 ? "1 email was" : `${number} emails were`} rejected, most recently {at}: {reason}.
    </>
  ),
  refusals: {
    "account-disabled": "this account was disabled",
    "switched-off": "every forwarding address is switched off",
    suspended: "every forwarding address was switched off after it rejected email permanently",
  } as Readonly<Record<string, string>>,
  keepCopy: "Keep a copy here",
  keepCopyHint: "When off, email is forwarded but not stored.",
  notes: "Notes",
  webhook: "Webhook",
  webhookUrl: "Webhook URL",
  webhookUrlHint: "Called with each new email as JSON. Leave empty for none. A test endpoint shows what is sent.",
  sendTest: "Send a test",
  noAnswer: "No answer",
  answered: (status: number) => `Answered ${status}`,
  after: (durationMs: number) => ` after ${durationMs} ms`,
  not2xx: "Anything but 2xx counts as failed: a real webhook call would be retried.",
  removeThis: "Remove this address",
  removeTitle: "Remove this address?",
  removeAction: "Remove address",
  removeLead: (address: ReactNode) => (
    <>From now on, email to {address} is rejected: senders are told that there is no such address.</>
  ),
  removeRest: "Email kept for it is deleted. Nobody else will ever get this address; you can create it again.",
};

export const inbox = {
  title: "Inbox",
  live: "Live",
  reconnecting: "Reconnecting…",
  notKept:
    "Email to this address is forwarded and not stored. To read it here, turn on “Keep a copy here” in its settings.",
  search: "Search senders and subjects",
  loading: "Loading email",
  what: "The inbox",
  noMatch: (search: string) => `No sender or subject contains “${search}”.`,
  empty: "No email yet",
  list: "Email",
  emails: (number: number) => count(number, "email", "emails"),
  attachments: (number: number) => count(number, "attachment", "attachments"),
  noSubject: "(no subject)",
  bounce: "(a bounce)",
  onItsWay: "In progress",
};

export const testEndpoints = {
  title: "Test endpoints",
  one: "Test endpoint",
  create: "New test endpoint",
  lead: "A test endpoint is a URL that accepts any request and shows it. Set one as an address's webhook URL to see exactly what your own server would get.",
  loading: "Loading your test endpoints",
  what: "Your test endpoints",
  none: "You have no test endpoints yet.",
  itsCallUrl: "its call URL",
  created: (at: ReactNode, last: ReactNode) => (
    <>
      Created {at}
      {last}
    </>
  ),
  lastCalled: (method: string, at: ReactNode) => (
    <>
      ; last called by {method} {at}
    </>
  ),
  notCalled: "; not called yet",
  callUrl: "Call URL",
  callUrlHint: "Accepts every method, without credentials.",
  getUrl: "Get URL",
  getUrlHint: "Returns the latest request to a program.",
  calls: "Requests",
  whatCalls: "The requests",
  callCount: (number: number) => count(number, "request", "requests"),
  waiting: "Waiting for the first request. It appears here by itself.",
  bodyOf: (place: number) => `Body of request ${place}`,
  noBody: "No body.",
  bodyCut: "The body is longer than what is shown.",
  removeThis: "Remove this test endpoint",
  removeTitle: "Remove this test endpoint?",
  removeAction: "Remove test endpoint",
  removeLead: "Its requests are deleted. Later requests to its URL get a “not found” answer.",
};
