import type { authContract } from "../../auth/contract.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { type EmailAddress, parseEmailAddress } from "../addresses/email-address.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { publishVerified, type VerifiedAddress, verifiedColumns } from "../verification/verified-event.ts";

const knownAccounts = recordSet({ id: "uuid", address: "text", key: "text", isVerified: "boolean" });

/** What auth says of an account, by event or by RPC. */
interface KnownAccount {
  id: string;
  username: string;
  isUsernameVerified: boolean;
}

/** An owner whose row this transaction has locked; see lockOwner. */
export interface LockedOwner {
  id: string;
  hasCreatedBinding: boolean;
}

/** The accounts that bindings belong to. auth owns them; this is the copy of what bindings needs. */
export class Owners {
  readonly #db: Database;
  readonly #auth: Pick<Client<typeof authContract>, "account">;
  readonly #domains: ServedDomains;

  constructor(db: Database, auth: Pick<Client<typeof authContract>, "account">, domains: ServedDomains) {
    this.#db = db;
    this.#auth = auth;
    this.#domains = domains;
  }

  /**
   * Makes sure that an account is known here. account.opened announces each one, but a first call may come before the event:
   * then auth is asked.
   * @throws Refusal NotFound; Outage when auth has to be asked and is unreachable.
   */
  async ensureKnown(id: string): Promise<void> {
    const { rowCount } = await this.#db.query("select from owner where id = $1", [id], { name: "bindings.owner" });
    if (rowCount > 0) return;
    const account = await this.#auth.account({ id });
    await this.#db.tx((tx) => this.record(tx, [account]));
  }

  /** Inserts or updates accounts. A username that was verified since counts as verified in every binding. Closed accounts stay closed. */
  async record(tx: Transaction, accounts: readonly KnownAccount[]): Promise<void> {
    const own = await this.#ownAddresses(tx, accounts);
    await tx.query(
      `insert into owner (id, own_address, own_address_key, own_address_verified_at)
       select id, address, key, case when is_verified and key is not null then now() end
         from ${knownAccounts.from("account")}
        order by id
       on conflict (id) do update
          set own_address = excluded.own_address, own_address_key = excluded.own_address_key,
              own_address_verified_at = case when owner.own_address_key = excluded.own_address_key
                                             then coalesce(owner.own_address_verified_at, excluded.own_address_verified_at)
                                             else excluded.own_address_verified_at end
        where owner.closed_at is null`,
      knownAccounts.params(
        accounts.map(({ id, isUsernameVerified: isVerified }, index) => {
          const emailAddress = own[index];
          return { id, address: emailAddress?.spelling, key: emailAddress?.key, isVerified };
        }),
      ),
    );
    const { rows } = await tx.query<VerifiedAddress>(
      `update real_address set verified_at = owner.own_address_verified_at
         from owner
        where owner.id = any ($1) and owner.own_address_verified_at is not null
          and real_address.owner_id = owner.id and real_address.address_key = owner.own_address_key
          and real_address.verified_at is null and not real_address.is_internal
        returning ${verifiedColumns}`,
      [accounts.map(({ id }) => id)],
    );
    await publishVerified(tx, rows);
  }

  /** The usernames that mail can be forwarded to: not plain names, and not addresses of this service. */
  async #ownAddresses(tx: Transaction, accounts: readonly KnownAccount[]): Promise<(EmailAddress | undefined)[]> {
    const emailAddresses = accounts.map(({ username }) => parseEmailAddress(username).emailAddress);
    const served = await this.#domains.served(
      tx,
      emailAddresses.flatMap((emailAddress) => emailAddress?.domain ?? []),
    );
    return emailAddresses.map((emailAddress) =>
      emailAddress && !served.has(emailAddress.domain) && !this.#domains.isInternal(emailAddress.domain)
        ? emailAddress
        : undefined,
    );
  }
}

/**
 * Locks an account's row until the transaction ends. Every change to its bindings begins with this, so that the quota and
 * whether it is the first binding are checked by one transaction at a time; other accounts are not affected.
 * @throws Refusal NotFound, or what `missing` makes, when the account is closed or not known here yet.
 */
export async function lockOwner(tx: Transaction, id: string, missing = noSuchAccount): Promise<LockedOwner> {
  const { rows } = await tx.query<{ hasCreatedBinding: boolean }>(
    "select first_binding_at is not null as has_created_binding from owner where id = $1 and closed_at is null for update",
    [id],
  );
  if (!rows[0]) throw missing();
  return { id, hasCreatedBinding: rows[0].hasCreatedBinding };
}

function noSuchAccount(): Refusal {
  return new Refusal("NotFound", { public: "There is no such account." });
}
