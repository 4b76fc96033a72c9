import type { ReactNode } from "react";
import { count } from "./count.ts";

export const mail = {
  search: "Search subjects, senders and text",
  loading: "Loading email",
  what: "Your email",
  list: "Email",
  views: "Show",
  viewKept: "Kept here",
  viewUnread: "Unread",
  viewUnreadCount: (number: number) => `Unread (${number.toLocaleString("en")})`,
  viewAll: "All, with forwarded only",
  markAllRead: "Mark all as read",
  noMatch: (search: string) => `No email contains “${search}”.`,
  empty: "No email yet",
  allRead: "Nothing unread",
  emptyHint: "Email to any of your addresses that keep a copy appears here as it arrives.",
  unread: "Unread",
  unreadMark: "Unread: ",
  sent: "Sent",
  notKept: "(not stored, forwarded only)",
  failed: "Failed",
  failedOf: (failed: number, all: number) => `${failed} of ${all} failed`,
  retrying: (in_: ReactNode) => <>Retrying {in_}</>,
  retryingNow: "Retrying",
  held: "Waiting for confirmation",
  failureList: "Undelivered email",
  whatFailures: "What failed",
  failureViews: { any: "All", failed: "Failed", retrying: "Retrying", held: "Waiting for confirmation" } as Readonly<
    Record<string, string>
  >,
  noFailures: "Nothing failed",
  noFailuresHint: "Email that could not be delivered, or is being retried, appears here.",
  choose: (what: string) => `Select ${what}`,
  retryChosen: (number: number) => `Retry ${number} selected`,
  retryShown: (number: number) => (number === 1 ? "Retry it now" : `Retry all ${number} now`),
  retried: (number: number) => `${count(number, "delivery is", "deliveries are")} being retried.`,
};
