import type { z } from "zod";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { lockAccount } from "../accounts/account-lock.ts";
import type { authContract } from "../contract.ts";
import { requireFreshProof } from "../sessions/fresh-proof.ts";
import { type ApiKey, type ApiKeys, noSuchKey, selectKeys } from "./api-keys.ts";
import { type ApiKeyInput, type CheckedInput, checkKeyInput } from "./key-input.ts";

type Input<Name extends "putApiKey" | "removeApiKey"> = z.output<(typeof authContract)["procedures"][Name]["input"]>;

/** API keys as programs declare them: by name, and the same twice changes nothing. */
export class DeclaredKeys {
  readonly #db: Database;
  readonly #keys: ApiKeys;

  constructor(db: Database, keys: ApiKeys) {
    this.#db = db;
    this.#keys = keys;
  }

  /** @throws Refusal FreshProofRequired unless nothing changes, ValidationFailed, NotFound, Conflict, QuotaExceeded */
  put({ accountId, sessionId, idOrName, expiresAt, ...given }: Input<"putApiKey">) {
    return this.#db.tx(async (tx) => {
      await lockAccount(tx, accountId);
      const former = await named(tx, accountId, idOrName);
      if (!former && isId(idOrName)) throw noSuchKey();
      const wanted = wantedKey(former, { name: former?.name ?? idOrName, ...given, expiresAt });
      if (former && isSame(former, wanted)) return { apiKey: former, key: null, isCreated: false };
      await requireFreshProof(tx, { accountId, sessionId });
      if (former)
        return { apiKey: await this.#keys.change(tx, accountId, former.id, wanted), key: null, isCreated: false };
      return { ...(await this.#keys.insert(tx, accountId, wanted)), isCreated: true };
    });
  }

  /** @throws Refusal FreshProofRequired, NotFound, Conflict */
  async remove({ accountId, sessionId, idOrName }: Input<"removeApiKey">): Promise<void> {
    await this.#db.tx(async (tx) => {
      await lockAccount(tx, accountId);
      const found = await named(tx, accountId, idOrName);
      if (!found) throw noSuchKey();
      await requireFreshProof(tx, { accountId, sessionId });
      await this.#keys.remove(tx, accountId, found.id);
    });
  }
}

/** A key that has expired meanwhile is still the one that was declared. @throws Refusal ValidationFailed */
function wantedKey(former: ApiKey | undefined, input: ApiKeyInput): CheckedInput {
  const formerExpiry = former?.expiresAt ?? null;
  if (formerExpiry === null || Date.parse(input.expiresAt ?? "") !== Date.parse(formerExpiry))
    return checkKeyInput(input);
  return { ...checkKeyInput({ ...input, expiresAt: null }), expiresAt: new Date(formerExpiry) };
}

/** @throws Refusal Conflict where several have the name */
async function named(tx: Transaction, accountId: string, idOrName: string): Promise<ApiKey | undefined> {
  const keys = await selectKeys(tx, "account_id = $1", [accountId]);
  const isMeant = isId(idOrName)
    ? ({ id }: ApiKey) => id === idOrName.toLowerCase()
    : ({ name }: ApiKey) => name === idOrName.trim();
  const [found, other] = keys.filter(isMeant);
  if (other) throw new Refusal("Conflict", { public: "Several API keys have this name: give the id of one." });
  return found;
}

function isSame(former: ApiKey, { scopes, domain, targetIds, expiresAt }: CheckedInput): boolean {
  return (
    isSameSet(former.scopes, scopes) &&
    former.domain === domain &&
    isSameSet(former.targetIds, targetIds) &&
    former.expiresAt === (expiresAt?.toISOString() ?? null)
  );
}

/** Of lists without duplicates. */
function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each));
}
