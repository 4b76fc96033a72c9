import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Loader } from "../../platform/graph/loader.ts";
import { pageSize } from "../../platform/graph/paging.ts";
import type { Resolver } from "../../platform/graph/subgraph.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import type { OwnedEmail } from "../browsing/owned-emails.ts";
import { type DryRun, dryRun } from "../rules/dry-run.ts";

interface Dependencies {
  db: Database;
  bindings: Client<typeof bindingsContract>;
  dryRuns: Limit;
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
export function ruleResolvers({ db, bindings, dryRuns }: Dependencies) {
  return {
    Query: {
      ruleDryRun: async (
        _source: unknown,
        { input, first }: { input: DryRunInput; first?: number | null },
        { ownerId },
      ) => {
        const { isAllowed, retryAfterS } = await dryRuns.consume(ownerId);
        if (!isAllowed) throw new Refusal("RateLimited", { public: "Enough rules were tried for now.", retryAfterS });
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
        { ownerId, caller, loaders },
      ) => {
        const { row } = await loaders.owned.load(emailId);
        // One that came from outside: nobody blocks themselves.
        if (row.direction !== "FORWARD") throw new Refusal("NotFound", { public: "There is no such email." });
        const { bindingId, sender, fromAddress: from } = row;
        const isForAccount = scope === "ACCOUNT";
        const { id } = await bindings.blockSender({
          ownerId,
          bindingId,
          isForAccount,
          from,
          sender,
          apiKey: caller.key,
        });
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
