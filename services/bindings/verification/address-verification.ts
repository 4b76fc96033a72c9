import type { z } from "zod";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { tokenDigest } from "../../platform/security/tokens.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import type { bindingsContract } from "../contract.ts";
import { checkBindingRestrictions } from "../key-restrictions/check-restrictions.ts";
import { lockOwner } from "../owners/owners.ts";
import { noSuchBinding } from "../proxy-bindings/rows.ts";
import type { VerificationLinks } from "./links.ts";
import { publishVerified, type VerifiedAddress, verifiedColumns } from "./verified-event.ts";

type Resending = z.output<typeof bindingsContract.procedures.resendVerification.input>;

/** What a link is for, as its page shows it. */
interface Verification {
  realAddress: string;
  proxyAddress: string;
}

interface LinkRow {
  ownerId: string;
  address: string;
  addressKey: string;
  proxyAddress: string;
  isGood: boolean;
  isEnabling: boolean;
}

/** Verifies real addresses: the reader of the mailbox confirms the address by the link that was sent there. */
export class AddressVerification {
  readonly #db: Database;
  readonly #links: VerificationLinks;

  constructor(db: Database, links: VerificationLinks) {
    this.#db = db;
    this.#links = links;
  }

  /** Changes nothing. @throws Refusal NotFound, or Gone when the link was used or has expired. */
  async describe(token: string): Promise<Verification> {
    return toVerification(await readLink(this.#db, token));
  }

  /**
   * Uses a link up. It verifies the address, or enables it again, in every binding of the account that has it.
   * @throws Refusal NotFound, or Gone when the link was used or has expired.
   */
  async verify(token: string): Promise<Verification> {
    const { ownerId } = await readLink(this.#db, token);
    return this.#db.tx(async (tx) => {
      await lockOwner(tx, ownerId);
      // Again under the lock: the link may have been used, or the address removed, in the meantime.
      const link = await readLink(tx, token);
      await tx.query("update verification_link set used_at = now() where token_digest = $1", [tokenDigest(token)]);
      if (link.isEnabling) await enable(tx, ownerId, link.addressKey);
      else await verify(tx, ownerId, link.addressKey);
      return toVerification(link);
    });
  }

  /** @throws Refusal NotFound; Conflict when the address needs no verification; RateLimited; Forbidden outside a key's restrictions */
  async resend({ ownerId, bindingId, address, apiKey, language }: Resending): Promise<void> {
    const { emailAddress } = parseEmailAddress(address);
    if (!emailAddress || !isId(bindingId)) throw noSuchBinding();
    await this.#db.tx(async (tx) => {
      await lockOwner(tx, ownerId);
      await checkBindingRestrictions(tx, { ownerId, bindingId, apiKey });
      const { rows } = await tx.query<{ id: string; proxyAddress: string; isNeeded: boolean }>(
        `select real_address.id, binding.proxy_address, verified_at is null and not is_internal as is_needed
           from real_address join binding on binding.id = binding_id
          where binding_id = $1 and address_key = $2 and binding.owner_id = $3`,
        [bindingId, emailAddress.key, ownerId],
      );
      const [found] = rows;
      if (!found) throw noSuchBinding();
      if (!found.isNeeded) throw new Refusal("Conflict", { public: "This address needs no verification." });
      const { id, proxyAddress } = found;
      const asked = { ownerId, proxyAddress, language };
      const { count, retryAfterS } = await this.#links.send(tx, asked, [{ id, emailAddress }]);
      if (count === 0) {
        throw new Refusal("RateLimited", { public: "This address was sent enough links for now.", retryAfterS });
      }
    });
  }
}

async function readLink(queryable: Queryable, token: string): Promise<LinkRow> {
  const { rows } = await queryable.query<LinkRow>(
    `select real_address.owner_id, real_address.address, real_address.address_key, binding.proxy_address,
            used_at is null and expires_at > now() as is_good, is_enabling
       from verification_link
       join real_address on real_address.id = real_address_id
       join binding on binding.id = real_address.binding_id
      where token_digest = $1`,
    [tokenDigest(token)],
  );
  if (!rows[0]) throw new Refusal("NotFound", { public: "This link has expired, or the address was removed." });
  if (!rows[0].isGood) throw new Refusal("Gone", { public: "This link has expired or has already been used." });
  return rows[0];
}

async function verify(tx: Transaction, ownerId: string, addressKey: string): Promise<void> {
  const { rows } = await tx.query<VerifiedAddress>(
    `update real_address set verified_at = now()
      where owner_id = $1 and address_key = $2 and verified_at is null and not is_internal returning ${verifiedColumns}`,
    [ownerId, addressKey],
  );
  await publishVerified(tx, rows);
}

/** Enables an address that was suspended after permanent failures, in every binding of the account. */
async function enable(queryable: Queryable, ownerId: string, addressKey: string): Promise<void> {
  await queryable.query(
    `with enabled as (
       update real_address set is_enabled = true, suspended_at = null where owner_id = $1 and address_key = $2 and not is_enabled returning binding_id)
     update binding set updated_at = clock_timestamp() where id in (select binding_id from enabled)`,
    [ownerId, addressKey],
  );
}

function toVerification({ address, proxyAddress }: LinkRow): Verification {
  return { realAddress: address, proxyAddress };
}
