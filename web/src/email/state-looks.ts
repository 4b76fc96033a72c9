/** How the state of a delivery or a webhook call is coloured, by the graph's states. */
export const stateLooks: Readonly<Record<string, string>> = {
  waiting: "state-waiting",
  delivered: "state-good",
  bounced: "state-bad",
  given_up: "state-bad",
};
