import type { ReactNode } from "react";
import { count } from "./count.ts";

export const operator = {
  title: "Operator",
  lead: "Accounts, queues and failures of the whole service. You see names, states and counts; nobody's email.",
  views: { accounts: "Accounts", queues: "Queues", events: "Dead events", domains: "Domains", actions: "Audit log" },
  onlyFirst: (listed: number) => `The first ${listed}. The operator's command lists them all.`,
  searchAccounts: "Search accounts",
  noAccounts: "No account fits.",
  accountColumns: ["Account", "State", "Created", "Last sign-in", "Action"],
  notSignedIn: "Not signed in",
  ownAccount: "Your account",
  active: "Active",
  disabled: "Disabled",
  isOperator: "Operator",
  unconfirmed: "Address not confirmed",
  twoFactor: "Two-factor authentication",
  enable: "Enable",
  enableWhat: (username: string) => `Enable ${username}`,
  disable: "Disable",
  disableWhat: (username: string) => `Disable ${username}`,
  disableTitle: "Disable account?",
  disableAction: "Disable account",
  disableLead: (username: ReactNode) => (
    <>
      {username} is signed out everywhere, its API token and keys stop working, and its email is held until you enable
      the account again.
    </>
  ),
  noQueues: "No email is waiting.",
  queueColumns: ["Destination", "Waiting", "Oldest", "State", "Action"],
  paused: "Paused",
  retry: "Retry now",
  retryWhat: (domain: string) => `Retry now: ${domain}`,
  retried: (number: number) => `Trying ${count(number, "email", "emails")} now.`,
  pause: "Pause",
  pauseWhat: (domain: string) => `Pause ${domain}`,
  resume: "Resume",
  resumeWhat: (domain: string) => `Resume ${domain}`,
  noEvents: "Every event was processed.",
  eventColumns: ["Service", "Topic", "Failed", "Error", "Action"],
  resend: "Process again",
  resendWhat: (topic: string) => `Process again: ${topic}`,
  resendAsked: "Waiting to be processed",
  resent: "It will be processed again within seconds.",
  noDomains: "No account has added a domain.",
  domainColumns: ["Domain", "State", "Checked", "Failing since", "Account"],
  never: "Never",
  noActions: "Nothing was done to an account within a year.",
  actionColumns: ["When", "Operator", "Action", "Account"],
  /** By the graph's names. */
  actions: {
    "account.disabled": "Disabled the account",
    "account.enabled": "Enabled the account",
    "account.second-factor-reset": "Reset two-factor authentication",
    "operator.added": "Made an operator",
    "operator.removed": "Removed as operator",
  } as Readonly<Record<string, string>>,
  goneAccount: "(account deleted)",
};
