import type { ReactNode } from "react";
import { count } from "./count.ts";

/** Of an address's page and its settings. */
export const binding = {
  title: "Address",
  back: "Addresses",
  tabs: { email: "Email", contacts: "Contacts", rules: "Rules", settings: "Settings" },
  sections: "Parts of this page",
  automatic: "Created at sign-up",
  forwardsToWhat: (targets: string) => `Forwards to ${targets}`,
  off: {
    kept: "This address is off: email to it is not forwarded. It is still kept here.",
    called: "This address is off: email to it is not forwarded. Its webhook is still called.",
    rejected: "This address is off: email to it is rejected, and senders are told so.",
  },
  forwardsTo: "Forwards to",
  forwardToAnother: "Forward to another address",
  forwardToAnotherHint: "We'll send it a confirmation link. Email is forwarded once the link was opened.",
  linkOnItsWay: "Confirmation link sent.",
  removeWhat: (address: string) => `Remove ${address}`,
  stopTitle: "Stop forwarding to this address?",
  stopAction: "Stop forwarding",
  stopLead: (proxyAddress: ReactNode, address: ReactNode) => (
    <>
      From now on, email to {proxyAddress} is not forwarded to {address}.
    </>
  ),
  stopLast: "No other address is switched on, so it is not forwarded at all then.",
  stopRest: "Your other addresses are not affected.",
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

/** Of the email of one address. */
export const bindingMail = {
  title: "Inbox",
  notKept:
    "Email to this address is forwarded and not stored. To read it here, turn on “Keep a copy here” in its settings.",
  what: "The inbox",
  empty: "No email yet",
  emails: (number: number) => count(number, "email", "emails"),
};

/** Of the settings for replies. */
export const answering = {
  title: "Replies",
  lead: "Reply to forwarded email from your own email program, and the other side sees only this address.",
  answers: "Reply from this address",
  answersHint: "Forwarded email then names a reverse address for each sender. Replies to it leave from this address.",
  displayName: "Your name",
  displayNameHint: "Shown beside this address to those you write to. Leave empty for none.",
  strangers: "Allow other recipients in To and Cc",
  strangersHint: "Replies may then also go to people who aren't contacts of this address yet.",
  encrypted: "Send encrypted replies",
  encryptedHint: "We can't search them for your real address. When off, they are held and you are asked.",
  spf: (address: string) => `Accept replies from ${address} without a DKIM signature`,
  spfHint: "SPF alone then has to do: anybody who can send through the same servers can reply in your name.",
};
