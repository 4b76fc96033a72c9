import type { AuthenticatorTransport, WebAuthnCredential } from "@simplewebauthn/server";
import { isUniqueViolation } from "../../platform/db/errors.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId, newId } from "../../platform/ids.ts";
import { lockAccountFor, type Requester } from "../accounts/account-lock.ts";
import type { SecurityNotices } from "../accounts/security-notices.ts";
import { checkCredentialName } from "../credential-name.ts";

/** More than an account needs; a bound, so that no account can fill the table. */
const maxPasskeys = 20;

/** A passkey, as its account's owner sees it. */
export interface Passkey {
  id: string;
  name: string;
  /** It is kept by more than one device, as far as it says. */
  isBackedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}

interface PasskeyRow extends Omit<Passkey, "createdAt" | "lastUsedAt"> {
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface NewPasskey extends WebAuthnCredential {
  name: string;
  isBackedUp: boolean;
}

const columns = `id, name, is_backed_up, created_at, last_used_at`;

/** The public keys that stand for accounts. */
export class PasskeyStore {
  readonly #db: Database;
  readonly #notices: SecurityNotices;

  constructor(db: Database, notices: SecurityNotices) {
    this.#db = db;
    this.#notices = notices;
  }

  /** @throws Refusal as lockAccountFor; ValidationFailed for a name that is none; Conflict for a passkey that is registered; QuotaExceeded */
  async add(
    requester: Requester,
    { id, publicKey, counter, transports, isBackedUp, name }: NewPasskey,
  ): Promise<Passkey> {
    const { accountId } = requester;
    const checked = checkCredentialName(name);
    const added = this.#db.tx(async (tx) => {
      // Of two that are added at once, the second sees the first.
      await lockAccountFor(tx, requester);
      const { rows } = await tx.query<PasskeyRow>(
        `insert into passkey (id, account_id, credential_id, public_key, counter, transports, is_backed_up, name)
         select $1, $2, $3, $4, $5, $6, $7, $8 where (select count(*) from passkey where account_id = $2) < $9 returning ${columns}`,
        [
          newId(),
          accountId,
          Buffer.from(id, "base64url"),
          Buffer.from(publicKey),
          counter,
          transports ?? [],
          isBackedUp,
          checked,
          maxPasskeys,
        ],
      );
      const [passkey] = rows;
      if (!passkey)
        throw new Refusal("QuotaExceeded", {
          public: `There can be ${maxPasskeys} passkeys; remove one that is not used.`,
        });
      await this.#notices.send(tx, accountId, "A passkey was added.");
      return shown(passkey);
    });
    return added.catch((error: unknown) => {
      throw isUniqueViolation(error, "passkey_credential_id")
        ? new Refusal("Conflict", { public: "This passkey is registered already.", cause: error })
        : error;
    });
  }

  /** An account's, in the order they were registered. */
  async list(accountId: string): Promise<Passkey[]> {
    const { rows } = await this.#db.query<PasskeyRow>(
      `select ${columns} from passkey where account_id = $1 order by id`,
      [accountId],
    );
    return rows.map(shown);
  }

  /** The descriptors of an account's passkeys, for the authenticator. */
  async credentials(accountId: string): Promise<{ id: string; transports: AuthenticatorTransport[] }[]> {
    const { rows } = await this.#db.query<{ credentialId: Buffer; transports: AuthenticatorTransport[] }>(
      `select credential_id, transports from passkey where account_id = $1`,
      [accountId],
    );
    return rows.map(({ credentialId, transports }) => ({ id: credentialId.toString("base64url"), transports }));
  }

  /** A passkey by what authenticators know it by (credential id, in base64url). */
  async find(credentialId: string): Promise<(WebAuthnCredential & { accountId: string }) | undefined> {
    const { rows } = await this.#db.query<{ accountId: string; publicKey: Buffer; counter: number }>(
      `select account_id, public_key, counter from passkey where credential_id = $1`,
      [Buffer.from(credentialId, "base64url")],
    );
    const [found] = rows;
    return found && { ...found, id: credentialId, publicKey: new Uint8Array(found.publicKey) };
  }

  /** False when its counter has not moved on since (WebAuthn Level 3, section 6.1.1): somebody was faster, or has a copy. */
  async wasUsed(credentialId: string, used: { counter: number; isBackedUp: boolean }): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `update passkey set counter = $2, is_backed_up = $3, last_used_at = now()
        where credential_id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
      [Buffer.from(credentialId, "base64url"), used.counter, used.isBackedUp],
    );
    return rowCount > 0;
  }

  /** @throws Refusal NotFound, ValidationFailed */
  async rename(accountId: string, id: string, name: string): Promise<Passkey> {
    const { rows } = await this.#db.query<PasskeyRow>(
      `update passkey set name = $3 where id = $1 and account_id = $2 returning ${columns}`,
      [isId(id) ? id : null, accountId, checkCredentialName(name)],
    );
    if (!rows[0]) throw noSuchPasskey();
    return shown(rows[0]);
  }

  /** It can no longer be used to sign in; sessions that it began stay valid. @throws Refusal as lockAccountFor; NotFound */
  async remove(requester: Requester, id: string): Promise<void> {
    const { accountId } = requester;
    await this.#db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      const { rowCount } = await tx.query(`delete from passkey where id = $1 and account_id = $2`, [
        isId(id) ? id : null,
        accountId,
      ]);
      if (rowCount === 0) throw noSuchPasskey();
      await this.#notices.send(tx, accountId, "A passkey was removed.");
    });
  }
}

function shown(row: PasskeyRow): Passkey {
  return { ...row, createdAt: row.createdAt.toISOString(), lastUsedAt: row.lastUsedAt?.toISOString() ?? null };
}

function noSuchPasskey(): Refusal {
  return new Refusal("NotFound", { public: "There is no such passkey." });
}
