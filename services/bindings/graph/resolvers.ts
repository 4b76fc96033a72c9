import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import { byId, type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { pageSize } from "../../platform/graph/paging.ts";
import { defineSubgraph, type EntityResolvers, type Resolvers, type Subgraph } from "../../platform/graph/subgraph.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import { generateLocalPart } from "../addresses/generated.ts";
import type { bindingsContract, ProxyBinding as ProxyBindingSchema } from "../contract.ts";
import type { Quota } from "../proxy-bindings/quota.ts";
import { noSuchBinding } from "../proxy-bindings/rows.ts";
import { type ContactLoaders, contactLoaders, contactMutations, contactsOf } from "./contact-resolvers.ts";
import { domainFields, domainMutations, domainQueries, operatorFields } from "./domain-resolvers.ts";
import { importFields, importMutations, importQueries } from "./import-resolvers.ts";
import { type RuleLoaders, ruleFields, ruleLoaders, ruleMutations, ruleQueries, rulesOf } from "./rule-resolvers.ts";

type ProxyBinding = z.input<typeof ProxyBindingSchema>;
type Procedures = Implementation<typeof bindingsContract>;

interface Loaders extends RuleLoaders, ContactLoaders {
  bindings: Loader<ProxyBinding>;
  quota: Loader<Quota>;
  usedOn: Loader<readonly string[]>;
}

interface Reference {
  id: string;
}

interface PageArguments {
  first?: number | null;
  after?: string | null;
  search?: string | null;
  sort?: "ASC" | "DESC" | null;
  order?: keyof typeof orders | null;
  isOn?: boolean | null;
  domain?: string | null;
}

/** What a list can be sorted by, as the graph names it and as the contract does. */
const orders = {
  CREATED: "created",
  ADDRESS: "address",
  RECEIVED: "received",
  LAST_RECEIVED: "last-received",
} as const;

type CreationInput = Omit<z.input<typeof bindingsContract.procedures.create.input>, "ownerId" | "apiKey" | "language">;
type ChangeInput = Omit<
  z.input<typeof bindingsContract.procedures.update.input>,
  "ownerId" | "id" | "apiKey" | "language"
>;

interface BindingsGraphDependencies {
  db: Database;
  procedures: Procedures;
  /** An account's use of its quota. */
  quotaOf(ownerId: string): Promise<Quota>;
  /** SERVICE_DOMAIN, where proxy addresses are issued. */
  domain: string;
}

/** bindings' subgraph, over the same functions as its RPC. */
export function bindingsSubgraph({ db, procedures, quotaOf, domain }: BindingsGraphDependencies): Subgraph {
  return defineSubgraph<Loaders>({
    sdl: new URL("./subgraph.graphql", import.meta.url),
    loaders: (request) => ({
      bindings: loaderOf(
        async (ids) => byId(await procedures.getMany({ ownerId: request.ownerId, ids })),
        () => noSuchBinding(),
      ),
      ...ruleLoaders(procedures, request.ownerId),
      ...contactLoaders(procedures),
      usedOn: loaderOf(
        async (ids) => {
          const noted = await procedures.websites({ ownerId: request.ownerId, bindingIds: [...ids] });
          const none = ids.map((id): [string, readonly string[]] => [id, []]);
          return new Map([...none, ...noted.map(({ bindingId, sites }): [string, string[]] => [bindingId, sites])]);
        },
        () => noSuchBinding(),
      ),
      quota: loaderOf(
        async () => new Map([[request.ownerId, await quotaOf(request.ownerId)]]),
        () => new Refusal("NotFound", { public: "There is no such account." }),
      ),
    }),
    entities,
    deadEventsOf: { service: "bindings", db },
    resolvers: {
      ...types(procedures),
      Query: queries(procedures, domain),
      Mutation: { ...mutations(procedures), ...contactMutations(procedures), ...importMutations(procedures) },
    },
  });
}

const entities: EntityResolvers<Loaders> = {
  ProxyBinding: ({ id }: Reference, { loaders }) => loaders.bindings.load(id),
  Account: (reference: Reference) => reference,
  Rule: ({ id }: Reference, { loaders }) => loaders.rules.load(id),
};

const types = (procedures: Procedures): Resolvers<Loaders> => ({
  Domain: { ...domainFields(procedures), rules: rulesOf },
  Operator: operatorFields(procedures),
  Rule: ruleFields,
  ImportJob: importFields(procedures),
  ProxyBinding: {
    owner: ({ ownerId }: ProxyBinding) => ({ __typename: "Account", id: ownerId }),
    contacts: contactsOf,
    rules: rulesOf,
    usedOn: ({ id }: ProxyBinding, _args: unknown, { loaders }) => loaders.usedOn.load(id),
  },
  // The loader has the caller's own quota alone.
  Account: { quota: ({ id }: Reference, _args: unknown, { loaders }) => loaders.quota.load(id) },
});

function queries(procedures: Procedures, domain: string): Resolvers<Loaders>[string] {
  return {
    ...domainQueries(procedures),
    ...ruleQueries(procedures),
    ...importQueries(procedures),
    suggestedProxyAddress: () => `${generateLocalPart()}@${domain}`,
    targets: (_source: unknown, _args: unknown, { ownerId }) => procedures.targets({ ownerId }),
    proxyBinding: (_source: unknown, { id }: Reference, { loaders }) => loaders.bindings.load(id),
    proxyBindings: async (_source: unknown, given: PageArguments, { ownerId }) => {
      const { first, after, search, sort, order, isOn, domain } = given;
      const listing = {
        ownerId,
        sort: sort === "ASC" ? "asc" : "desc",
        first: pageSize(first),
        after: after ?? undefined,
        search: search ?? undefined,
        order: orders[order ?? "CREATED"],
        isOn: isOn ?? undefined,
        domain: domain ?? undefined,
        isCounted: false,
      } as const;
      const page = await procedures.list(listing);
      const pageInfo = { hasNextPage: page.nextCursor !== null, endCursor: page.nextCursor };
      // To count all that many have takes longer than their page: only who asks for it waits.
      const totalCount = async () => page.totalCount ?? (await procedures.count(listing)).totalCount;
      return { nodes: page.bindings, totalCount, pageInfo };
    },
  };
}

function mutations(procedures: Procedures): Resolvers<Loaders>[string] {
  return {
    ...domainMutations(procedures),
    ...ruleMutations(procedures),
    createProxyBinding: async (_source: unknown, { input }: { input?: CreationInput | null }, request) => {
      const { language } = request;
      const creation = { ...requesterOf(request), language, ...given(input ?? {}) };
      const { binding, ...outcome } = await procedures.create(creation);
      return { proxyBinding: binding, ...outcome };
    },
    updateProxyBinding: async (_source: unknown, { id, input }: Reference & { input: ChangeInput }, request) => {
      const change = { ...requesterOf(request), language: request.language, id, ...given(input) };
      const { binding, isVerificationSent } = await procedures.update(change);
      return { proxyBinding: binding, isVerificationSent };
    },
    switchProxyBinding: async (_source: unknown, { id, isEnabled }: Reference & { isEnabled: boolean }, request) => {
      const requester = requesterOf(request);
      await procedures.toggle({ ...requester, id, isEnabled });
      return { proxyBinding: procedures.get({ ownerId: requester.ownerId, id }), isVerificationSent: false };
    },
    setUsedOn: async (_source: unknown, { id, usedOn }: Reference & { usedOn: string[] }, request) => {
      await procedures.setWebsites({ ...requesterOf(request), bindingId: id, sites: usedOn }).catch(throwOfUsedOn);
      return { proxyBinding: request.loaders.bindings.load(id), isVerificationSent: false };
    },
    deleteProxyBinding: async (_source: unknown, { id }: Reference, request) => {
      await procedures.remove({ ...requesterOf(request), id });
      return { id };
    },
    resendVerification: async (
      _source: unknown,
      { proxyBindingId, address }: { proxyBindingId: string; address: string },
      request,
    ) => {
      const { language } = request;
      await procedures.resendVerification({ ...requesterOf(request), language, bindingId: proxyBindingId, address });
      return { proxyBinding: request.loaders.bindings.load(proxyBindingId) };
    },
  };
}

/** Whose bindings are asked about, and what an API key holds them to. */
function requesterOf({ ownerId, caller }: GraphRequest) {
  return { ownerId, apiKey: caller.key };
}

/** null means absent for a boolean, a text or a list; a callback URL of null unsets it. */
function given<T extends { callbackUrl?: string | null }>(input: T): { [K in keyof T]: NonNullable<T[K]> | undefined } {
  const fields = Object.entries(input).map(([name, value]) => [
    name,
    value === null && name === "callbackUrl" ? "" : (value ?? undefined),
  ]);
  return Object.fromEntries(fields);
}

/** What is `sites` to the procedure is `usedOn` here. */
function throwOfUsedOn(error: unknown): never {
  const fault = error instanceof Refusal ? error.fieldFault : undefined;
  throw fault?.field === "sites" ? invalidField("usedOn", fault.fault) : error;
}
