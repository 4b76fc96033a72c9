import type { RuleActionsInput, RuleConditionsInput, RuleVerdict, ShownRuleFragment } from "../graph/gen/operations.ts";
import { addressesIn } from "../parts/addresses-in.ts";

type Kind = keyof RuleConditionsInput;
const actionNames = ["none", "refuse", "discard", "forwardTo", "callbackOnly", "keepOnly"] as const;
type ActionName = (typeof actionNames)[number];

export interface ConditionDraft {
  /** Only here: what React tells lines apart by. */
  key: number;
  kind: Kind;
  value: string;
}

/** A rule as it is being written: all texts. */
export interface RuleDraft {
  name: string;
  conditions: readonly ConditionDraft[];
  action: ActionName;
  forwardTo: string;
  tagSubject: string;
  limit: string;
}

const bytesPerKb = 1_000;
export const sizes: readonly Kind[] = ["largerThan", "smallerThan"];
export const verdictKinds: readonly Kind[] = ["dmarc", "dkim"];

let lastKey = 0;
export function newCondition(kind: Kind, value = ""): ConditionDraft {
  lastKey += 1;
  return { key: lastKey, kind, value };
}

export const emptyDraft = (): RuleDraft => ({
  name: "",
  conditions: [newCondition("from")],
  action: "refuse",
  forwardTo: "",
  tagSubject: "",
  limit: "",
});

export function draftOf({ name, conditions, actions }: ShownRuleFragment): RuleDraft {
  return {
    name,
    // A line shows one verdict, so several of a condition are several lines.
    conditions: conditionsOf(conditions).flatMap(({ kind, text }) =>
      (verdictKinds.includes(kind) ? valuesIn(text) : [text]).map((each) => newCondition(kind, each)),
    ),
    action: actionOf(actions),
    forwardTo: actions.forwardTo.join(", "),
    tagSubject: actions.tagSubject ?? "",
    limit: actions.limitPerHour === null ? "" : String(actions.limitPerHour),
  };
}

/** The conditions that a rule has, with their values as text. */
export function conditionsOf(conditions: ShownRuleFragment["conditions"]): { kind: Kind; text: string }[] {
  return Object.entries(conditions).flatMap(([kind, value]) => {
    if (value === null) return [];
    const text = typeof value === "number" ? String(value / bytesPerKb) : textOf(value);
    return [{ kind: kind as Kind, text }];
  });
}

export function actionOf(actions: ShownRuleFragment["actions"]): ActionName {
  if (actions.forwardTo.length > 0) return "forwardTo";
  return (["refuse", "discard", "callbackOnly", "keepOnly"] as const).find((each) => actions[each]) ?? "none";
}

/** Values with a comma between them; in quotes, as in CSV (RFC 4180), where they are empty or would be read otherwise. */
function textOf(values: readonly string[]): string {
  return values
    .map((value) => (value === "" || /[",]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join(", ");
}

function valuesIn(text: string): string[] {
  return [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*[^,\s]))/g)].map(
    ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

/** Whether mail that a rule decides about has a subject to put something before, and a number an hour. */
export function extrasOf(action: RuleDraft["action"]): { hasTag: boolean; hasLimit: boolean } {
  return { hasTag: action !== "refuse" && action !== "discard", hasLimit: action !== "refuse" };
}

/** What the server is told; lines of the same kind are one condition. */
export function inputOf(draft: RuleDraft): {
  name: string;
  conditions: RuleConditionsInput;
  actions: RuleActionsInput;
} {
  const conditions: Record<string, number | string[] | RuleVerdict[]> = {};
  for (const { kind, value } of draft.conditions) {
    const former = conditions[kind];
    conditions[kind] = sizes.includes(kind)
      ? Math.round(Number(value) * bytesPerKb)
      : [...(Array.isArray(former) ? former : []), ...valuesIn(value)];
  }
  const { action, tagSubject, limit } = draft;
  const { hasTag, hasLimit } = extrasOf(action);
  return {
    name: draft.name.trim(),
    conditions,
    actions: {
      ...(action === "none" || action === "forwardTo" ? {} : { [action]: true }),
      ...(action === "forwardTo" ? { forwardTo: addressesIn(draft.forwardTo) } : {}),
      ...(!hasTag || tagSubject.trim() === "" ? {} : { tagSubject: tagSubject.trim() }),
      ...(!hasLimit || limit.trim() === "" ? {} : { limitPerHour: Number(limit) }),
    },
  };
}
