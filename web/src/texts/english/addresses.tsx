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
  since: (at: ReactNode) => <>Created {at}</>,
};
