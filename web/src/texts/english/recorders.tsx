import type { ReactNode } from "react";
import { count } from "./count.ts";

export const recorders = {
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
