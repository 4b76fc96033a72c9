import { conditionsInUse } from "../../message/rules/match-rule.ts";
import type { Rule } from "./rows.ts";

const characters = 100;

const words = {
  senders: "sender",
  clientNetworks: "client network",
  tags: "tag",
  from: "from",
  dmarc: "DMARC",
  dkim: "DKIM",
  subjectContains: "subject contains",
  listIds: "list",
  largerThan: "larger than",
  smallerThan: "smaller than",
} as const;

/** How the timeline names a rule: as its owner did, else by what it looks for. */
export function titleOf({ name, conditions }: Pick<Rule, "name" | "conditions">): string {
  if (name !== "") return name;
  const parts = conditionsInUse(conditions).map(
    (condition) => `${words[condition]} ${[conditions[condition]].flat().join(" or ")}`,
  );
  const title = parts.join(", ") || "every message";
  return title.length > characters ? `${title.slice(0, characters - 1).toWellFormed()}…` : title;
}
