import type { z } from "zod";
import { domainOf } from "../../message/address/addr-spec.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { envelopeAddress, parseEmailAddress } from "../addresses/email-address.ts";
import type { Resolution, Route } from "../contract.ts";
import { derivedId } from "../derived-id.ts";
import { type TargetState, targetStates } from "../targets/target-states.ts";
import { ruleLimits } from "./contract.ts";
import type { Rule } from "./rows.ts";
import { titleOf } from "./title.ts";

type Answer = z.output<typeof Resolution>;
type OpenRoute = z.output<typeof Route>;
type StateOf = (ownerId: string, target: string) => TargetState;

interface RuleRow extends Pick<Rule, "id" | "name" | "conditions" | "actions"> {
  position: number;
}

const askedRoutes = recordSet({ ownerId: "uuid", bindingId: "uuid", domain: "text" });

/** The binding's own first, then those of its domain, then those of the account. */
const rulesOfRoutes = `
  select asked.position, rule.id, rule.name, rule.conditions, rule.actions
    from ${askedRoutes.fromOrdered("asked")}
    join rule on rule.owner_id = asked.owner_id and (expires_at is null or expires_at > now())
   where rule.binding_id = asked.binding_id
      or rule.domain_id in (select id from domain where domain.owner_id = asked.owner_id and domain.name = asked.domain)
      or num_nonnulls(rule.binding_id, rule.domain_id) = 0
   order by asked.position, num_nonnulls(rule.binding_id) desc, num_nonnulls(rule.domain_id) desc, rule.position, rule.id`;

/** Adds to each route what its owner's rules say of its mail, in the order in which they are looked at. */
export async function addRules(
  queryable: Queryable,
  answers: readonly Answer[],
  ruledOwners: ReadonlySet<string>,
): Promise<void> {
  const routes = answers.flatMap((answer) =>
    answer.outcome === "route" && !answer.route.refusal && ruledOwners.has(answer.route.ownerId) ? [answer.route] : [],
  );
  if (routes.length === 0) return;
  const asked = routes.map(({ ownerId, bindingId, proxyAddress }) => {
    const domain = parseEmailAddress(proxyAddress).emailAddress?.domain ?? domainOf(proxyAddress);
    return { ownerId, bindingId, domain };
  });
  const { rows } = await queryable.query<RuleRow>(rulesOfRoutes, askedRoutes.params(asked), { name: "bindings.rules" });
  const ofRoute = Map.groupBy(rows, ({ position }) => routes[position - 1] as OpenRoute);
  const targets = [...ofRoute].flatMap(([{ ownerId }, rules]) =>
    rules.flatMap(({ actions }) => (actions.forwardTo ?? []).map((target) => ({ ownerId, target }))),
  );
  const stateOf = await targetStates(queryable, targets);
  for (const [route, rules] of ofRoute)
    route.rules = rules.slice(0, ruleLimits.perRoute).map((rule) => routeRule(rule, route.ownerId, stateOf));
}

function routeRule({ id, name, conditions, actions }: RuleRow, ownerId: string, stateOf: StateOf) {
  const live = (actions.forwardTo ?? []).filter((target) => stateOf(ownerId, target).isLive);
  const forwardTo = live.flatMap((target) => {
    const { emailAddress } = parseEmailAddress(target);
    return emailAddress ? [{ addressId: derivedId(id, emailAddress.key), address: envelopeAddress(emailAddress) }] : [];
  });
  return { id, title: titleOf({ name, conditions }), conditions, actions: { ...actions, forwardTo } };
}
