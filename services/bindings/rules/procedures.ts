import type { Database } from "../../platform/db/types.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import type { bindingsContract } from "../contract.ts";
import { selectDomain } from "../domains/rows.ts";
import type { Owners } from "../owners/owners.ts";
import { blockSender } from "./block-sender.ts";
import { checkConditions } from "./check-conditions.ts";
import type { ruleProcedures } from "./contract.ts";
import { countHits } from "./hits.ts";
import { getRules, listRules, moveRule, putRule, removeRule, rulesOfScopes, updateRule } from "./manage-rules.ts";
import { readScope } from "./scope.ts";

const done = {};

interface Dependencies {
  db: Database;
  domains: ServedDomains;
  owners: Owners;
}

/** Implements what the contract says of rules. */
export function rulesImplementation({
  db,
  domains,
  owners,
}: Dependencies): Pick<Implementation<typeof bindingsContract>, keyof ReturnType<typeof ruleProcedures>> {
  return {
    listRules: (listing) => listRules(db, listing),
    getRules: (asked) => getRules(db, asked),
    rulesOfScopes: (asked) => rulesOfScopes(db, asked),
    putRule: (put) => owners.ensureKnown(put.ownerId).then(() => putRule({ db, domains }, put)),
    updateRule: (change) => updateRule({ db, domains }, change),
    moveRule: (move) => moveRule(db, move),
    removeRule: (removal) => removeRule(db, removal).then(() => done),
    blockSender: (blocking) => blockSender(db, blocking),
    checkRule: async ({ ownerId, conditions, ...asked }) => {
      const { bindingId, domainId } = await readScope(db, ownerId, asked);
      const domain = domainId === null ? null : (await selectDomain(db, ownerId, domainId)).name;
      return { conditions: checkConditions(conditions), bindingId, domain };
    },
    countRuleHits: ({ hits }) =>
      countHits(
        db,
        hits.map((hit) => ({ ...hit, lastAt: new Date(hit.lastAt) })),
      ).then(() => done),
  };
}
