/** What became of a delivery, by the graph's states. */
export const states: Readonly<Record<string, string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  bounced: "Bounced",
  given_up: "Failed",
  cancelled: "Cancelled",
};

/** What happened to an email, by the timeline's kinds. */
export const steps: Readonly<Record<string, string>> = {
  accepted: "Received",
  held: "Waiting for the address to be confirmed",
  skipped_unverified: "Not forwarded: the address was not confirmed",
  skipped_switched_off: "Not forwarded: the address was switched off",
  skipped_suspended: "Not forwarded: the address was switched off after it rejected email permanently",
  stored: "Copy kept",
  partly_unreadable: "Read in part",
  not_kept: "Copy not kept",
  discarded: "Discarded",
  rule_applied: "A rule applied",
  truncated: "Too long to keep in full",
  forwarded: "Forwarded",
  sent: "Answer sent",
  deferred: "Delayed",
  bounced: "Bounced",
  complained: "Reported as unwanted",
  given_up: "Failed",
  cancelled: "Cancelled",
  called_back: "Webhook called",
  callback_deferred: "Webhook delayed",
  callback_given_up: "Webhook failed",
  callback_cancelled: "Webhook cancelled",
};
