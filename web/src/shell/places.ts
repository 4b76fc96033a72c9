import { AtSign, CircleAlert, Globe, Inbox, ListFilter, Settings, ShieldCheck, Webhook } from "lucide-react";
import { useAccount } from "../session/account.tsx";

/**
 * Where one can go, in the order of the navigation. `letter`: typed after a g, it leads there. `isWide`: on a phone it
 * stands under “More”.
 */
const everybodysPlaces = [
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

/** For who has the right alone. */
const operatorPlace = {
  path: "/operator",
  name: "operator",
  icon: ShieldCheck,
  letter: "o",
  within: ["/operator"],
  isWide: true,
} as const;

const operatorsPlaces: readonly Place[] = [...everybodysPlaces, operatorPlace];

export type Place = (typeof everybodysPlaces)[number] | typeof operatorPlace;

/** Those of the account that is signed in. */
export function usePlaces(): readonly Place[] {
  const { isOperator } = useAccount();
  return isOperator ? operatorsPlaces : everybodysPlaces;
}

/** Whether a path is the place's, or of something within it. */
export function isAt({ path, within }: Place, location: string): boolean {
  return location === path || within.some((start) => location === start || location.startsWith(`${start}/`));
}
