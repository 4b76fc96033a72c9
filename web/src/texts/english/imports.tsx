import type { ReactNode } from "react";
import { count, figure } from "./count.ts";

type Named = Readonly<Record<string, string>>;

export const imports = {
  title: "Import",
  lead: "Bring your addresses from another service. You see what would be created before anything is.",
  what: "Your imports",
  from: "Export file from",
  files: {
    simplelogin: "SimpleLogin (CSV)",
    addy: "addy.io (CSV)",
    relay: "Firefox Relay (CSV)",
    postern: "Postern (JSON)",
  },
  sources: {
    simplelogin: "SimpleLogin",
    simplelogin_api: "SimpleLogin",
    addy: "addy.io",
    relay: "Firefox Relay",
    postern: "Postern",
  } as Named,
  file: "File",
  tooLarge: "This file is too large for the browser. Import it with the API: see the documentation at /docs.",
  check: "Check file",
  checkHint: "Nothing is created and nobody is emailed yet.",
  earlier: "Recent imports",
  named: (source: string, at: ReactNode) => (
    <>
      {source}, {at}
    </>
  ),
  rows: (number: number) => count(number, "row", "rows"),
  state: "Status",
  states: {
    reading: "Reading",
    checked: "Ready to start",
    waiting: "Importing",
    done: "Done",
    failed: "Failed",
  } as Named,
  status: (source: string, state: string, done: number, total: number) =>
    `${source}: ${state} · ${figure(done)} of ${count(total, "row", "rows")}`,
  progress: "Progress",
  nothingMade: "Check the table. Nothing is created until you start.",
  newOnes: "Create new addresses where the old ones can't be kept",
  newOnesHint: "An address on a domain that isn't yours here gets a new one. When off, it is left out.",
  start: "Start import",
  seeAddresses: "See your addresses",
  download: "Download the table",
  table: "Rows of the import",
  old: "Before",
  verdict: "Result",
  new: "Here",
  detail: "Details",
  /** What the server says of a row or of the whole. */
  said: (sentence: string) => sentence,
  verdicts: {
    same: "Keeps its name",
    new: "Gets a new address",
    exists: "Already here",
    refused: "Not imported",
  } as Named,
  rowStates: { done: "Imported", left: "Left out", refused: "Not imported" } as Named,
  onlyFirst: (shown: number, total: number) =>
    `The first ${figure(shown)} of ${figure(total)} rows. The download has all of them.`,
  section: "Move here",
  sectionLead: "From SimpleLogin, addy.io, Firefox Relay or another Postern.",
  open: "Import addresses",
};
