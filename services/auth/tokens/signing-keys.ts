import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Database, Queryable } from "../../platform/db/types.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** EdDSA over Curve25519 (RFC 8037): short signatures, and no randomness to get wrong. */
export const algorithm = "EdDSA";

/** A key stays at least so long after its successor came, for replicas that have not seen that one yet. */
const handoverHours = 24;

type Key = Awaited<ReturnType<typeof importJWK>>;

interface KeyRow {
  id: string;
  publicJwk: JWK;
  sealed: Buffer;
  isDue: boolean;
}

export interface SigningKey {
  id: string;
  key: Key;
}

const sealContext = (id: string) => `signing_key/${id}`;

/** The keys of bearer tokens: shared by all replicas through the database, held in memory by each. */
export class TokenSigningKeys {
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #rotationD: number;
  readonly #logger: Logger;
  readonly #verifying = new Map<string, Key>();
  #signing: SigningKey | undefined;
  #reading: Promise<void> | undefined;

  constructor(db: Database, sealer: Sealer, rotationD: number, logger: Logger) {
    this.#db = db;
    this.#sealer = sealer;
    this.#rotationD = rotationD;
    this.#logger = logger;
  }

  /** Makes a new key when the newest is due or cannot be read, deletes those that no session needs, and reads the rest. */
  async rotate(): Promise<void> {
    await this.#db.tx(async (tx) => {
      // Replicas rotate one after the other; signing in and verifying go on meanwhile.
      await tx.query(`lock table signing_key in share row exclusive mode`);
      const [newest] = await this.#rows(tx);
      if (!newest || newest.isDue || this.#opened(newest) === undefined) await this.#make(tx);
      await tx.query(
        `delete from signing_key as old
          where exists (select from signing_key as later where later.created_at > old.created_at and later.created_at < now() - make_interval(hours => $1))
            and not exists (select from session where signing_key_id = old.id)`,
        [handoverHours],
      );
    });
    await this.#read();
  }

  /** The key that signs now. */
  async signing(): Promise<SigningKey> {
    if (!this.#signing) await this.rotate();
    if (!this.#signing) throw new Error("there is no signing key even after one was made");
    return this.#signing;
  }

  /** The key of a token's `kid`; one that is not known here may have been made by another replica a moment ago. */
  async verifying(id: string | undefined): Promise<Key | undefined> {
    if (id === undefined) return undefined;
    if (!this.#verifying.has(id)) await this.#readOnce();
    return this.#verifying.get(id);
  }

  /** The public halves (RFC 7517), newest first. */
  async jwks(): Promise<JWK[]> {
    const rows = await this.#rows(this.#db);
    return rows.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, use: "sig", alg: algorithm }));
  }

  async #make(tx: Queryable): Promise<void> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const jwk = await exportJWK(privateKey);
    const { d: _private, ...publicJwk } = jwk;
    const id = await calculateJwkThumbprint(publicJwk);
    await tx.query(`insert into signing_key (id, public_jwk, sealed) values ($1, $2, $3)`, [
      id,
      JSON.stringify(publicJwk),
      this.#sealer.seal(JSON.stringify(jwk), sealContext(id)),
    ]);
    this.#logger.info({ keyId: id }, "rotated the bearer-token signing key");
  }

  /** However many unknown keys are asked for at once, the table is read once. */
  #readOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const rows = await this.#rows(this.#db);
    for (const { id, publicJwk } of rows) {
      if (!this.#verifying.has(id)) this.#verifying.set(id, await importJWK(publicJwk, algorithm));
    }
    const kept = new Set(rows.map((row) => row.id));
    for (const id of this.#verifying.keys()) if (!kept.has(id)) this.#verifying.delete(id);
    const [newest] = rows;
    const jwk = newest && newest.id !== this.#signing?.id ? this.#opened(newest) : undefined;
    if (newest && jwk) this.#signing = { id: newest.id, key: await importJWK(jwk, algorithm) };
  }

  async #rows(on: Queryable): Promise<KeyRow[]> {
    const { rows } = await on.query<KeyRow>(
      `select id, public_jwk, sealed, created_at < now() - make_interval(days => $1) as is_due from signing_key order by created_at desc, id`,
      [this.#rotationD],
    );
    return rows;
  }

  /** The private half; undefined when SECRET_KEY was changed without naming the previous one: then a new key takes over. */
  #opened({ id, sealed }: KeyRow): JWK | undefined {
    try {
      return JSON.parse(this.#sealer.open(sealed, sealContext(id))) as JWK;
    } catch (error) {
      this.#logger.warn({ err: error, keyId: id }, "a signing key cannot be read");
      return undefined;
    }
  }
}
