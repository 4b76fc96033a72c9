import type { z } from "zod";
import type { Route } from "../../bindings/contract.ts";

export type OpenRoute = z.output<typeof Route>;
export type RouteRule = OpenRoute["rules"][number];

/** What a rule did to an email that is accepted, as the timeline says it, with hyphens. */
type RuleEffect =
  | "refused"
  | "discarded"
  | "forwarded-elsewhere"
  | "called-back-only"
  | "kept-only"
  | "subject-tagged"
  | "over-its-limit"
  | "let-through";

export interface AppliedRule {
  readonly id: string;
  readonly title: string;
  readonly effects: readonly RuleEffect[];
  /** Before the subject of what is forwarded; "" for nothing. */
  readonly subjectTag: string;
}

export interface ChangedRoute {
  readonly route: OpenRoute;
  readonly applied: AppliedRule;
}

/** What makes a route lead to nobody. */
export const nowhere = {
  targets: [],
  unverifiedTargets: [],
  skippedTargets: [],
  callbackUrl: "",
  isBrowsable: false,
  answers: false,
};

/** Accepted, and nobody gets it. @param effect why */
export function discarded(route: OpenRoute, { id, title }: RouteRule, effect: "refused" | "discarded"): ChangedRoute {
  return { route: { ...route, ...nowhere }, applied: { id, title, effects: [effect], subjectTag: "" } };
}

/**
 * The route that an email takes by a rule. Mail that would be lost is routed as if there were no rule: what is to be called back
 * only where there is no callback URL, and what is to be forwarded where none of the addresses takes mail.
 * @param isOverLimit it is beyond the rule's limit, and cannot be deferred
 */
export function changedRoute(route: OpenRoute, { id, title, actions }: RouteRule, isOverLimit: boolean): ChangedRoute {
  const { forwardTo, callbackOnly, keepOnly, tagSubject: subjectTag = "" } = actions;
  const effects: RuleEffect[] = isOverLimit ? ["over-its-limit"] : [];
  const changes: Partial<OpenRoute> = {};
  if (forwardTo.length > 0) {
    Object.assign(changes, { targets: forwardTo, unverifiedTargets: [], skippedTargets: [] });
    effects.push("forwarded-elsewhere");
  } else if (callbackOnly && route.callbackUrl !== "") {
    Object.assign(changes, { ...nowhere, callbackUrl: route.callbackUrl });
    effects.push("called-back-only");
  } else if (keepOnly && !route.isStorageFull) {
    Object.assign(changes, { ...nowhere, isBrowsable: true, answers: route.answers });
    effects.push("kept-only");
  }
  if (subjectTag !== "") effects.push("subject-tagged");
  if (effects.length === 0) effects.push("let-through");
  return { route: { ...route, ...changes }, applied: { id, title, effects, subjectTag } };
}
