import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import type { Loader } from "../../platform/graph/loader.ts";
import { pageSize } from "../../platform/graph/page-size.ts";
import type { Resolver } from "../../platform/graph/subgraph.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { OwnedEmail } from "../browsing/contents.ts";
import { blockSender } from "../rules/block-sender.ts";
import { type DryRun, dryRun } from "../rules/dry-run.ts";

interface Dependencies {
  db: Database;
  bindings: Client<typeof bindingsContract>;
}

interface Loaders {
  owned: Loader<OwnedEmail>;
}

type Conditions = z.input<typeof bindingsContract.procedures.checkRule.input>["conditions"];

interface DryRunInput {
  bindingId?: string | null;
  domainId?: string | null;
  conditions?: Conditions | null;
}

/** What the graph has of rules where mail is what is asked about. */
export function ruleResolvers({ db, bindings }: Dependencies) {
  return {
    Query: {
      ruleDryRun: (_source: unknown, { input, first }: { input: DryRunInput; first?: number | null }, { ownerId }) => {
        const { bindingId, domainId, conditions } = input;
        const given = Object.entries(conditions ?? {}).filter(([, value]) => value !== null);
        const question = { ownerId, bindingId, domainId, conditions: Object.fromEntries(given) };
        return dryRun(db, bindings, question, pageSize(first));
      },
    },
    Mutation: {
      blockSender: async (
        _source: unknown,
        { emailId, scope }: { emailId: string; scope: "BINDING" | "ACCOUNT" },
        { ownerId, caller },
      ) => {
        const isForAccount = scope === "ACCOUNT";
        const id = await blockSender(db, bindings, { ownerId, emailId, isForAccount, apiKey: caller.key });
        return { rule: { __typename: "Rule", id } };
      },
    },
    RuleDryRun: {
      emails: async ({ emailIds }: DryRun, _args: unknown, { loaders }) => {
        const found = await loaders.owned.loadMany([...emailIds]);
        return found.flatMap((email) => (email instanceof Error ? [] : [email.row]));
      },
    },
  } satisfies Record<string, Record<string, Resolver<Loaders>>>;
}
