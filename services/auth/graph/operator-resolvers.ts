import { requireOperator } from "../../platform/graph/operator.ts";
import { idCursor, pageSize } from "../../platform/graph/paging.ts";
import type { Resolvers } from "../../platform/graph/subgraph.ts";
import type { AuthComponents } from "../components.ts";
import type { OperatorAction } from "../operators/audit.ts";
import type { OperatedAccount } from "../operators/operators.ts";
import { provenOwner } from "./proof-mutations.ts";

interface PageArguments {
  search?: string | null;
  first?: number | null;
  after?: string | null;
}

/** The operator's area, as far as it is about accounts. Each field asks for the right by itself, whatever led to it. */
export function operatorResolvers(components: AuthComponents): Resolvers<unknown> {
  const { operators, operatorAudit } = components;
  return {
    Operator: {
      accounts: (_source: unknown, { search, first, after }: PageArguments, request) => {
        requireOperator(request);
        return operators.accounts({ search: search?.trim() ?? "", limit: pageSize(first), after: idCursor(after) });
      },
      actions: (_source: unknown, { first, after }: PageArguments, request) => {
        requireOperator(request);
        return operatorAudit.list({ limit: pageSize(first), after: idCursor(after) });
      },
    },
    OperatedAccount: { twoFactorEnabled: ({ hasSecondFactor }: OperatedAccount) => hasSecondFactor },
    OperatorAction: { at: ({ actedAt }: OperatorAction) => actedAt },
    Mutation: {
      setAccountDisabled: async (
        _source: unknown,
        { id, isDisabled }: { id: string; isDisabled: boolean },
        request,
      ) => {
        const { username } = requireOperator(request);
        const actor = { ...(await provenOwner(components, request)), username };
        return { account: operators.setDisabled(actor, id, isDisabled) };
      },
    },
  };
}
