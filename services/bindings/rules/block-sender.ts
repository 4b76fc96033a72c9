import type { z } from "zod";
import { normalizeAddress } from "../../message/rules/normalize-values.ts";
import type { Database } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { readRecipient } from "../addresses/email-address.ts";
import type { bindingsContract } from "../contract.ts";
import { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { changeRules, setPosition } from "./positions.ts";
import { checkRuleQuota } from "./quota.ts";
import { noSuchRule, ofScope, type Rule, scopeParams, selectRule, selectRules } from "./rows.ts";
import { checkScopeRestrictions, readScope } from "./scope.ts";

type Blocking = z.output<typeof bindingsContract.procedures.blockSender.input>;

/**
 * Makes a rule, before the others of its scope, that refuses an author's mail; the same again gives the one that is there.
 * @throws Refusal NotFound, ValidationFailed where the email names nobody, QuotaExceeded, Forbidden
 */
export function blockSender(
  db: Database,
  { ownerId, bindingId, isForAccount, apiKey, ...email }: Blocking,
): Promise<Rule> {
  const conditions = JSON.stringify(conditionsFor(email));
  const actions = JSON.stringify({ refuse: true });
  return changeRules(
    db,
    ownerId,
    async (tx) => {
      const scope = await readScope(tx, ownerId, { bindingId: isForAccount ? null : bindingId });
      const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
      await checkScopeRestrictions(tx, { ownerId, restrictions }, scope);
      const [known] = await selectRules(
        tx,
        `where ${ofScope} and conditions = $4 and actions = $5 and expires_at is null limit 1`,
        [...scopeParams(ownerId, scope), conditions, actions],
      );
      if (known) return known;
      const id = newId();
      await tx.query(
        `insert into rule (id, owner_id, binding_id, domain_id, conditions, actions, position) values ($1, $2, $3, $4, $5, $6, 0)`,
        [id, ...scopeParams(ownerId, scope), conditions, actions],
      );
      await setPosition(tx, { ownerId, id, position: 0, isNew: true }, scope);
      await checkRuleQuota(tx, ownerId);
      return selectRule(tx, ownerId, id);
    },
    noSuchRule,
  );
}

/** By the author, whom the reader sees; else by the envelope sender, which is another one for each mail of some senders. */
function conditionsFor({ from, sender }: Pick<Blocking, "from" | "sender">) {
  const author = addressIn(from ?? "");
  if (author !== undefined) return { from: [author] };
  const envelope = addressIn(sender);
  if (envelope === undefined) throw invalidField("emailId", "the email names nobody who could be blocked.");
  return { senders: [envelope] };
}

function addressIn(given: string): string | undefined {
  const { emailAddress } = readRecipient(given);
  return emailAddress && normalizeAddress(emailAddress.key);
}
