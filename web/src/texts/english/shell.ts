export const navigation = {
  addresses: "Addresses",
  inbox: "Inbox",
  failures: "Failures",
  rules: "Rules",
  domains: "Domains",
  webhooks: "Webhooks",
  settings: "Settings",
  operator: "Operator",
  signOut: "Sign out",
};

/** Of the frame around every page. */
export const shell = {
  jump: "Search or jump to",
  jumpKeys: "Ctrl K",
  jumpHint: "Find an address, a page or a command",
  more: "More",
  commands: "Commands",
  addresses: "Addresses",
  places: "Go to",
  actions: "Actions",
  nothingFits: "Nothing matches.",
  newAddress: "Create a new address",
  shortcuts: "Keyboard shortcuts",
  documentation: "API documentation",
  search: "Search on this page",
  goTo: (place: string) => `Go to ${place}`,
  letters: "Single letters are shortcuts",
};
