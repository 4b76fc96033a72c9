import { AtSign, CircleAlert, Globe, Inbox, ListFilter, Settings, Webhook } from "lucide-react";

/**
 * Where one can go, in the order of the navigation. `letter`: typed after a g, it leads there. `isWide`: on a phone it
 * stands under “More”.
 */
export const places = [
  { path: "/", name: "addresses", icon: AtSign, letter: "a", within: ["/addresses"], isWide: false },
  { path: "/inbox", name: "inbox", icon: Inbox, letter: "i", within: ["/inbox", "/emails"], isWide: false },
  { path: "/failures", name: "failures", icon: CircleAlert, letter: "f", within: ["/failures"], isWide: false },
  { path: "/domains", name: "domains", icon: Globe, letter: "d", within: ["/domains"], isWide: true },
  { path: "/rules", name: "rules", icon: ListFilter, letter: "r", within: ["/rules"], isWide: true },
  {
    path: "/webhooks",
    name: "webhooks",
    icon: Webhook,
    letter: "w",
    within: ["/webhooks", "/recorders"],
    isWide: true,
  },
  { path: "/settings", name: "settings", icon: Settings, letter: "s", within: ["/settings", "/import"], isWide: true },
] as const;

export type Place = (typeof places)[number];

/** Whether a path is the place's, or of something within it. */
export function isAt({ path, within }: Place, location: string): boolean {
  return location === path || within.some((start) => location === start || location.startsWith(`${start}/`));
}
