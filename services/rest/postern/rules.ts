import { z } from "zod";
import { Rule as BindingsRule, RuleActions, RuleConditions } from "../../bindings/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { Moment } from "../../platform/rpc/moment.ts";
import { absentIfNull, Count, wellFormedText } from "../http/schemas.ts";
import { findAddress } from "./addresses.ts";
import { findDomain } from "./domains.ts";
import { declaredResource } from "./resource.ts";

const text = (description: string) => absentIfNull(wellFormedText("a string")).meta({ description });

const PutRule = z
  .object(
    {
      binding: text("The proxy address that it is for alone, by its id or by itself"),
      domain: text("The domain that it is for alone, by its id or by itself; with neither it is for all mail"),
      position: absentIfNull(Count).meta({
        description:
          "Among the rules with the same scope, from 0. Absent: a new one is the last, one that is there stays where it is",
      }),
      name: text("Empty if absent"),
      conditions: absentIfNull(RuleConditions).meta({ description: "Each has to hold; none: every message" }),
      actions: absentIfNull(RuleActions).meta({ description: "None: the message is delivered as usual" }),
      expiresAt: absentIfNull(Moment).meta({ description: "Never if absent" }),
    },
    { error: "expected an object" },
  )
  .meta({
    id: "PutRule",
    example: { name: "No newsletters", conditions: { listIds: ["news.shop.example"] }, actions: { discard: true } },
  });

const Rule = BindingsRule.omit({ ownerId: true }).meta({ id: "Rule" });

type Shown = z.input<typeof BindingsRule>;

function shown({ ownerId: _, ...rule }: Shown): z.input<typeof Rule> {
  return rule;
}

export const ruleEndpoints = declaredResource({
  name: "Rule",
  path: "/rules",
  document: Rule,
  body: PutRule,
  list: {
    summary: "List the rules",
    description: "Those for all mail, of domains and of proxy addresses, each in their order.",
    scope: "alias:read",
    async handle({ services, caller }) {
      return (await services.bindings.listRules({ ownerId: caller.accountId })).map(shown);
    },
  },
  show: {
    summary: "Show a rule",
    scope: "alias:read",
    async handle({ services, caller, id }) {
      const [found] = await services.bindings.getRules({ ownerId: caller.accountId, ids: [id] });
      if (!found) throw new Refusal("NotFound", { public: "There is no such rule." });
      return shown(found);
    },
  },
  put: {
    summary: "Make a rule exactly what is given",
    description:
      "Named by a UUID of your choice: 201 where you had no rule of this id. The same request again changes nothing.",
    scope: "alias:write",
    refusals: [404],
    async handle({ services, caller, id, body: { binding, domain, ...content } }) {
      const { rule, isCreated } = await services.bindings.putRule({
        ...content,
        id,
        ownerId: caller.accountId,
        apiKey: caller.key,
        bindingId: binding === undefined ? undefined : (await findAddress(services, caller, binding)).id,
        domainId: domain === undefined ? undefined : (await findDomain(services, caller, domain)).id,
      });
      return { data: shown(rule), isCreated };
    },
  },
  remove: {
    summary: "Remove a rule",
    scope: "alias:write",
    handle: ({ services, caller, id }) =>
      services.bindings.removeRule({ ownerId: caller.accountId, id, apiKey: caller.key }),
  },
});
