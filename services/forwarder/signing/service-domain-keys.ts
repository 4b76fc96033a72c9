import { createPrivateKey } from "node:crypto";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Outage } from "../../platform/errors.ts";
import { type BackgroundTask, PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { algorithms, newKeyPair, type PublishedKey, unusedSelector } from "./key-pair.ts";
import type { SigningAlgorithm, SigningKey } from "./signing-key.ts";

/** Other replicas' new keys are seen after this time, long before they sign. */
const refreshMs = 60_000;

interface KeyRow {
  selector: string;
  algorithm: SigningAlgorithm;
  sealed: Buffer;
  signsFrom: Date;
}

/** The DKIM and ARC keys of SERVICE_DOMAIN: generated at the first start, shared by all replicas through the database. */
export class ServiceDomainKeys {
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #retiredDays: number;
  #keys: { key: SigningKey; signsFromMs: number }[] = [];

  /** @param retiredDays how long a key stays published after its successor took over */
  constructor(db: Database, sealer: Sealer, retiredDays: number) {
    this.#db = db;
    this.#sealer = sealer;
    this.#retiredDays = retiredDays;
  }

  /** Generates missing keys, then loads all. */
  async start(): Promise<void> {
    await this.#exclusively(async (tx) => {
      const { rows } = await tx.query<{ algorithm: SigningAlgorithm }>("select distinct algorithm from signing_key");
      const present = new Set(rows.map(({ algorithm }) => algorithm));
      for (const algorithm of algorithms) if (!present.has(algorithm)) await this.#generate(tx, algorithm, 0);
    });
    await this.refresh();
  }

  /**
   * The key that signs now. The first one signs even before its record is published, when verifiers ignore the signature, and by a
   * clock that is behind the one by which it was made.
   */
  current(algorithm: SigningAlgorithm): SigningKey {
    const now = Date.now();
    const keys = this.#keys.filter(({ key }) => key.algorithm === algorithm);
    const found = keys.find(({ signsFromMs }) => signsFromMs <= now) ?? keys.at(-1);
    if (!found) throw new Outage("signing keys", { operator: `there is no ${algorithm} key` });
    return found.key;
  }

  /** All keys whose signatures may still be verified, newest first. */
  async published(): Promise<PublishedKey[]> {
    const { rows } = await this.#db.query<PublishedKey>(
      `select selector, algorithm, public_key from signing_key order by algorithm desc, signs_from desc`,
    );
    return rows;
  }

  /** Generates new keys. @param leadH hours until they sign, for their records to be published. @returns their selectors */
  async rotate(leadH: number): Promise<string[]> {
    const selectors: string[] = [];
    await this.#exclusively(async (tx) => {
      for (const algorithm of algorithms) selectors.push(await this.#generate(tx, algorithm, leadH));
    });
    await this.refresh();
    return selectors;
  }

  /** Loads keys of other replicas, deletes retired ones, and seals again what was sealed under the previous SECRET_KEY. */
  async refresh(): Promise<void> {
    await this.#db.query(
      `delete from signing_key as old where exists (
         select from signing_key as later where later.algorithm = old.algorithm and later.signs_from > old.signs_from
           and later.signs_from < now() - make_interval(days => $1))`,
      [this.#retiredDays],
    );
    const { rows } = await this.#db.query<KeyRow>(
      "select selector, algorithm, sealed, signs_from from signing_key order by signs_from desc",
    );
    this.#keys = rows.map((row) => ({ key: this.#opened(row), signsFromMs: row.signsFrom.getTime() }));
    for (const row of rows) await this.#reseal(row);
  }

  /** Calls `refresh` every minute. */
  work(logger: Logger): BackgroundTask {
    return new PollingTask({
      name: "signing-keys",
      intervalMs: refreshMs,
      logger,
      run: () => this.refresh().then(() => false),
    });
  }

  /** Replicas that start at the same time must not each generate keys. */
  #exclusively(run: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#db.tx(async (tx) => {
      await tx.query("lock table signing_key in share row exclusive mode");
      await run(tx);
    });
  }

  async #generate(tx: Queryable, algorithm: SigningAlgorithm, leadH: number): Promise<string> {
    const { rows } = await tx.query<{ selector: string }>("select selector from signing_key");
    const selector = unusedSelector(new Set(rows.map((row) => row.selector)), algorithm);
    const { privateKey, publicKey } = await newKeyPair(algorithm);
    await tx.query(
      `insert into signing_key (selector, algorithm, sealed, public_key, signs_from)
       values ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
      [selector, algorithm, this.#sealer.seal(privateKey, sealContext(selector)), publicKey, leadH],
    );
    return selector;
  }

  #opened({ selector, algorithm, sealed }: KeyRow): SigningKey {
    const known = this.#keys.find(({ key }) => key.selector === selector);
    const open = () => createPrivateKey(this.#sealer.open(sealed, sealContext(selector)));
    return known?.key ?? { selector, algorithm, privateKey: open() };
  }

  async #reseal({ selector, sealed }: KeyRow): Promise<void> {
    const { previousKeyMark } = this.#sealer;
    if (!previousKeyMark || !sealed.subarray(0, previousKeyMark.length).equals(previousKeyMark)) return;
    const resealed = this.#sealer.seal(this.#sealer.open(sealed, sealContext(selector)), sealContext(selector));
    await this.#db.query("update signing_key set sealed = $2 where selector = $1", [selector, resealed]);
  }
}

function sealContext(selector: string): string {
  return `signing_key/${selector}`;
}
