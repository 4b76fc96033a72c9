import type { ReactNode } from "react";
import { count } from "./count.ts";

/** Of the list of addresses and of an address's page. */
export const addresses = {
  table: "Addresses",
  columns: {
    address: "Address",
    target: "Forwards to",
    received: "Received",
    failed: "Failed",
    last: "Last email",
    isOn: "On",
    select: "Select",
  },
  sortBy: "Sort by",
  orders: { created: "Date created", address: "Address", received: "Emails received", last: "Last email" },
  reverse: "Reverse the order",
  state: "State",
  states: { all: "On and off", on: "On", off: "Off" },
  domain: "Domain",
  allDomains: "All domains",
  total: (number: number) => count(number, "address", "addresses"),
  noneFits: "No address matches",
  noneFitsLead: (search: string): string =>
    search === ""
      ? "No address is in this state or on this domain."
      : `No address, description, label or target contains “${search}”.`,
  clearFilters: "Clear search and filters",
  notForwarded: "Not forwarded",
  more: (number: number) => `and ${number} more`,
  unverified: "Not verified yet",
  suspended: "Rejects email",
  failedEmails: (number: number) => `${number} failed`,
  never: "Never",
  receivedAndLast: (received: string, last: ReactNode) => (
    <>
      {received} · {last}
    </>
  ),
  switchOf: (address: string) => `Forward email of ${address}`,
  switchOfKept: (address: string) => `Accept email for ${address}`,
  select: (address: string) => `Select ${address}`,
  selectAll: "Select all that are shown",
  selected: (number: number) => count(number, "address selected", "addresses selected"),
  bulk: "Actions for the selected addresses",
  turnOn: "Turn on",
  turnOff: "Turn off",
  addLabel: "Add label",
  label: "Label",
  labels: "Labels",
  labelsHint: "For example where you use it. Separate several with commas.",
  clearSelection: "Clear selection",
  remove: "Remove",
  removeMany: (number: number) => `Remove ${count(number, "address", "addresses")}?`,
  removeManyLead:
    "Email to them is rejected from now on, and email kept for them is deleted. Nobody else will ever get these addresses.",
  done: (done: number) => `${count(done, "address", "addresses")} updated.`,
  removed: (done: number) => `${count(done, "address", "addresses")} removed.`,
  failed: (failed: number, reason: string) => `${count(failed, "address", "addresses")} couldn't be updated: ${reason}`,
  created: (address: string) => `${address} created`,
  createdAndCopied: (address: string) => `${address} created and copied`,
  back: "Addresses",
  tabs: { email: "Email", contacts: "Contacts", rules: "Rules", settings: "Settings" },
  sections: "Parts of this page",
  forwardsTo: (targets: string) => `Forwards to ${targets}`,
  off: {
    kept: "This address is off: email to it is not forwarded. It is still kept here.",
    called: "This address is off: email to it is not forwarded. Its webhook is still called.",
    rejected: "This address is off: email to it is rejected, and senders are told so.",
  },
  since: (at: ReactNode) => <>Created {at}</>,
};

export const answering = {
  title: "Replies",
  lead: "Reply to forwarded email from your own email program, and the other side sees only this address.",
  answers: "Reply from this address",
  answersHint: "Forwarded email then names a reverse address for each sender. Replies to it leave from this address.",
  displayName: "Your name",
  displayNameHint: "Shown beside this address to those you write to. Leave empty for none.",
  strangers: "Allow other recipients in To and Cc",
  strangersHint: "Replies may then also go to people who are no contacts of this address yet.",
  encrypted: "Send encrypted replies",
  encryptedHint: "We can't search them for your real address. When off, they are held and you are asked.",
  spf: (address: string) => `Accept replies from ${address} without a DKIM signature`,
  spfHint: "SPF alone then has to do: anybody who can send through the same servers can reply in your name.",
};

export const contacts = {
  title: "Contacts",
  list: "Contacts",
  loading: "Loading contacts",
  what: "The contacts",
  search: "Search contacts",
  none: "No contacts yet",
  noneLead: "Whoever writes to this address becomes a contact. You can also add somebody, to write first.",
  noneOff: "Turn on “Reply from this address” in the settings to reply to email without showing your real address.",
  noMatch: (search: string) => `No contact contains “${search}”.`,
  write: "Write to somebody",
  address: "Their email address",
  addressHint: "You get a reverse address: what you send to it reaches them from this address.",
  several: "Separate several addresses with commas.",
  name: "Name",
  nameHint: "For you alone.",
  create: "Get reverse address",
  made: "Send your email to",
  madeLead: (address: string) =>
    `Use your own email program. It leaves from ${address}; your real address is not shown.`,
  openProgram: "Open email program",
  copyAll: "Copy all",
  reverseOf: (who: string) => `the reverse address of ${who}`,
  copyReverse: "Copy reverse address",
  countsAndSeen: (received: number, sent: number, at: ReactNode) => (
    <>
      {received} received · {sent} sent · Last seen {at}
    </>
  ),
  blocked: "Blocked",
  block: "Block",
  unblock: "Unblock",
  blockWhat: (who: string) => `Block ${who}`,
  unblockWhat: (who: string) => `Unblock ${who}`,
  rename: "Rename",
  renameWhat: (who: string) => `Rename ${who}`,
  remove: "Remove",
  removeWhat: (who: string) => `Remove ${who}`,
  removeTitle: "Remove this contact?",
  removeAction: "Remove contact",
  removeLead: (who: ReactNode) => (
    <>The reverse address of {who} stops working. If they write again, they become a contact with a new one.</>
  ),
  done: "Done",
};
