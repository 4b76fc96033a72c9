import type { ReactNode } from "react";

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
      You're running locally, so outside mail can't reach this address. Run this to send a test to {address} and see it
      here within a second.
    </>
  ),
  theCommand: "the command",
};

export const batches = {
  done: (done: number, total: number | undefined) =>
    total === undefined
      ? `${done.toLocaleString("en")} done`
      : `${done.toLocaleString("en")} of ${total.toLocaleString("en")} done`,
  stop: "Stop",
  stopping: "Stopping…",
};

export const addressChoice = {
  label: "Address",
  all: "All addresses",
  chosen: "This address",
  choose: "Choose an address",
  search: "Search your addresses",
  searching: "Searching your addresses",
  nothingFits: "No address matches.",
};
