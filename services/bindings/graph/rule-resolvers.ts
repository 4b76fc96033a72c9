import type { z } from "zod";
import { invalidField } from "../../platform/errors.ts";
import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import { byId, type Loader, loaderOf } from "../../platform/graph/loader.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import { Moment } from "../../platform/rpc/moment.ts";
import type { bindingsContract } from "../contract.ts";
import type { Domain as DomainSchema } from "../domains/contract.ts";
import { noSuchDomain } from "../domains/rows.ts";
import type { RuleActions, RuleConditions, Rule as RuleSchema } from "../rules/contract.ts";
import { noSuchRule } from "../rules/rows.ts";
import { titleOf } from "../rules/title.ts";

type Procedures = Implementation<typeof bindingsContract>;
type Rule = z.output<typeof RuleSchema>;
type Domain = z.input<typeof DomainSchema>;

interface Caller {
  readonly ownerId: string;
}

interface BindingLoader {
  readonly loaders: { readonly bindings: Loader<unknown> };
}

/** Whose rules are changed, and what an API key holds the change to. */
type Asker = Pick<GraphRequest, "ownerId" | "caller">;

interface Reference {
  readonly id: string;
}

/** Members that are absent or null are left out. */
interface ContentInput {
  name?: string | null;
  conditions?: Nullable<z.input<typeof RuleConditions>> | null;
  actions?: Nullable<z.input<typeof RuleActions>> | null;
  expiresAt?: string | null;
}

interface CreationInput extends ContentInput {
  bindingId?: string | null;
  domainId?: string | null;
  position?: number | null;
}

type Nullable<T> = { [Name in keyof T]: T[Name] | null };

/** What batches the reads of rules in one request. */
export interface RuleLoaders {
  rules: Loader<Rule>;
  /** By the id of what they are for, a binding or a domain. */
  rulesOf: Loader<Rule[]>;
  domains: Loader<Domain>;
}

export function ruleLoaders(procedures: Procedures, ownerId: string): RuleLoaders {
  return {
    rules: loaderOf(
      async (ids) => byId(await procedures.getRules({ ownerId, ids })),
      () => noSuchRule(),
    ),
    rulesOf: loaderOf(
      async (ids) => Map.groupBy(await procedures.rulesOfScopes({ ownerId, ids }), scopeIdOf),
      () => [],
    ),
    domains: loaderOf(
      async () => byId(await procedures.domains({ ownerId })),
      () => noSuchDomain(),
    ),
  };
}

function scopeIdOf({ bindingId, domainId }: Rule): string {
  return bindingId ?? domainId ?? "";
}

/** Of the type that stands for a scope. */
export function rulesOf({ id }: Reference, _args: unknown, { loaders }: { loaders: RuleLoaders }): Promise<Rule[]> {
  return loaders.rulesOf.load(id);
}

export const ruleFields = {
  title: titleOf,
  binding: ({ bindingId }: Rule, _args: unknown, { loaders }: BindingLoader) =>
    bindingId === null ? null : loaders.bindings.load(bindingId),
  domain: ({ domainId }: Rule, _args: unknown, { loaders }: { loaders: RuleLoaders }) =>
    domainId === null ? null : loaders.domains.load(domainId),
  actions: ({ actions }: Rule) => ({
    refuse: false,
    discard: false,
    callbackOnly: false,
    keepOnly: false,
    forwardTo: [],
    ...actions,
  }),
};

export function ruleQueries(procedures: Procedures) {
  return {
    rules: (
      _source: unknown,
      { bindingId, domainId }: { bindingId?: string | null; domainId?: string | null },
      { ownerId }: Caller,
    ) => procedures.listRules({ ownerId, bindingId, domainId }),
    rule: (_source: unknown, { id }: Reference, { loaders }: { loaders: RuleLoaders }) => loaders.rules.load(id),
  };
}

export function ruleMutations(procedures: Procedures) {
  return {
    createRule: async (_source: unknown, { input }: { input: CreationInput }, { ownerId, caller }: Asker) => {
      const { bindingId, domainId, position, expiresAt } = input;
      const apiKey = caller.key;
      const { name, conditions = {}, actions = {} } = contentOf(input);
      const content = { name, conditions, actions, expiresAt: timeOf(expiresAt), position: position ?? undefined };
      return { rule: (await procedures.putRule({ ownerId, apiKey, bindingId, domainId, ...content })).rule };
    },
    updateRule: async (
      _source: unknown,
      { id, input }: Reference & { input: ContentInput },
      { ownerId, caller }: Asker,
    ) => {
      const expiresAt = timeOf(input.expiresAt);
      return {
        rule: await procedures.updateRule({ ownerId, id, apiKey: caller.key, ...contentOf(input), expiresAt }),
      };
    },
    moveRule: async (
      _source: unknown,
      { id, position }: Reference & { position: number },
      { ownerId, caller }: Asker,
    ) => ({ rule: await procedures.moveRule({ ownerId, id, position, apiKey: caller.key }) }),
    deleteRule: async (_source: unknown, { id }: Reference, { ownerId, caller }: Asker) => {
      await procedures.removeRule({ ownerId, id, apiKey: caller.key });
      return { id };
    },
  };
}

function contentOf({ name, conditions, actions }: ContentInput) {
  return {
    name: name ?? undefined,
    conditions: conditions ? given(conditions) : undefined,
    actions: actions ? given(actions) : undefined,
  };
}

function given<T extends object>(members: T): { [Name in keyof T]: NonNullable<T[Name]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [Name in keyof T]: NonNullable<T[Name]> };
}

/** @throws Refusal ValidationFailed */
function timeOf(time: string | null | undefined): string | null | undefined {
  if (time === null || time === undefined) return time;
  const at = new Date(time);
  const isTime = /^\d{4}-\d\d-\d\dT/.test(time) && !Number.isNaN(at.getTime());
  const moment = Moment.safeParse(isTime ? at.toISOString() : "");
  if (!moment.success) throw invalidField("expiresAt", "must be a time as ISO 8601.");
  return moment.data;
}
