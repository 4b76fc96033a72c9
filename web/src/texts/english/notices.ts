import { count } from "./count.ts";

export const notices = {
  title: "Notifications",
  lead: "Shown by this browser while Postern is open in a tab that you are not looking at. They say who wrote, and the subject.",
  toggle: "Notify me of new email and of failures",
  refused:
    "Your browser blocks notifications from this site. Allow them in its settings for this site, then try again.",
  unable: "This browser shows no notifications for a page that is open.",
  first: "Notifications are on",
  firstBody: "New email and failures are shown like this.",
  arrived: (number: number) => count(number, "new email", "new emails"),
  failed: (number: number) => count(number, "email could not be delivered", "emails could not be delivered"),
};
