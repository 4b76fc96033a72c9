import type { ReactNode } from "react";

export const domains = {
  title: "Domains",
  one: "Domain",
  lead: "Use your own domain for addresses. Add it here, publish its DNS records where it is registered, and we check them.",
  add: "Add a domain",
  addHint: "The name alone, for example: example.com",
  loading: "Loading your domains",
  what: "Your domains",
  none: "You have no domains yet.",
  states: { unverified: "Not verified yet", verified: "Verified", broken: "Needs attention", removed: "Removed" },
  explained: {
    unverified: "Publish the records below. We look for them every hour; new records may take a while to spread.",
    verified: "You can create addresses on this domain.",
    broken: "The proof or the MX record is gone. Email that still arrives is accepted; please restore the records.",
    removed: "Another account has verified this domain. Your addresses on it no longer receive email.",
  },
  checked: (at: ReactNode) => <>Last checked {at}.</>,
  records: "DNS records",
  recordsLead:
    "Sign in where your domain is registered, open its DNS settings, and add each record with this type, host and value. If your provider wants the full name as host, add the domain to it.",
  host: "Host",
  hostOfRecord: (type: string) => `the host of ${type}`,
  expected: "Value",
  valueOfRecord: (type: string) => `the value of ${type}`,
  found: "Found",
  nothing: "Nothing yet",
  /** By the graph's verdicts. */
  verdicts: {
    ok: "OK",
    missing: "Missing",
    wrong: "Wrong",
    advised: "Recommended",
    warning: "Warning",
    unknown: "Not checked yet",
  } as Readonly<Record<string, string>>,
  checkNow: "Check now",
  newKeys: "Make new DKIM keys",
  newKeysHint:
    "New DKIM keys are good practice once a year, or when somebody else could change your DNS. The ones in use sign until the new records are found.",
  nextKey: "The next key: add this record beside the one in use, which it replaces later. Nothing breaks until then.",
  formerKey: (until: ReactNode) =>
    until ? (
      <>Replaced: keep this record until {until}, for email that is still on its way.</>
    ) : (
      <>Replaced by another key.</>
    ),
  removeThis: "Remove this domain",
  removeTitle: "Remove this domain?",
  removeAction: "Remove domain",
  removeLead: (name: ReactNode) => (
    <>Addresses on {name} stop receiving email. Add and verify it again to have them back as they were.</>
  ),
  patterns: "New addresses by themselves",
  patternsLead:
    "Email to an address that doesn't exist yet creates it if a pattern matches. The first match is used; * alone matches everything.",
  noPatterns: "None: email to an address that doesn't exist is rejected.",
  pattern: "Pattern",
  patternHint: "Before the @: * stands for anything, ? for one character, {a,b} for one of several.",
  patternTargets: "Forward to",
  patternTargetsHint: "Your confirmed addresses. Leave empty to keep email here.",
  patternPerHour: "New addresses an hour",
  patternCreates: "Create addresses",
  patternCreatesHint: "When off, what fits is rejected.",
  addPattern: "Add a pattern",
  catchAll: "Take everything",
  removePattern: (glob: string) => `Remove the pattern ${glob}`,
  patternsSaved: "Patterns saved.",
};
