import type { ReactNode } from "react";

export const contacts = {
  list: "Contacts",
  loading: "Loading contacts",
  what: "The contacts",
  search: "Search contacts",
  none: "No contacts yet",
  noneLead: "Whoever writes to this address becomes a contact. You can also add somebody, to write first.",
  noneOff: "Turn on “Reply from this address” in the settings to reply to email without showing your real address.",
  noMatch: (search: string) => `No contact contains “${search}”.`,
  write: "Write to somebody",
  address: "Their email address",
  addressHint: "You get a reverse address: what you send to it reaches them from this address.",
  several: "Separate several addresses with commas.",
  name: "Name",
  nameHint: "Only you see it.",
  create: "Get reverse address",
  made: "Send your email to",
  madeLead: (address: string) =>
    `Send it from the mailbox that your email is forwarded to. It leaves from ${address}; your real address is not shown.`,
  openProgram: "Open email program",
  copyAll: "Copy all",
  reverseOf: (who: string) => `the reverse address of ${who}`,
  copyReverse: "Copy reverse address",
  copyReverseOf: (who: string) => `Copy reverse address of ${who}`,
  countsAndSeen: (received: number, sent: number, at: ReactNode) => (
    <>
      {received} received · {sent} sent · Last seen {at}
    </>
  ),
  blocked: "Blocked",
  block: "Block",
  unblock: "Unblock",
  blockWhat: (who: string) => `Block ${who}`,
  unblockWhat: (who: string) => `Unblock ${who}`,
  rename: "Rename",
  renameWhat: (who: string) => `Rename ${who}`,
  remove: "Remove",
  removeWhat: (who: string) => `Remove ${who}`,
  removeTitle: "Remove this contact?",
  removeAction: "Remove contact",
  removeLead: (who: ReactNode) => (
    <>The reverse address of {who} stops working. If they write again, they become a contact with a new one.</>
  ),
  done: "Done",
};
