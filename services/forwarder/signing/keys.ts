import { createPrivateKey } from "node:crypto";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Outage } from "../../platform/errors.ts";
import { type BackgroundTask, PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { makePrivateKey, publishedForm } from "./key-pair.ts";
import { type SigningAlgorithm, SigningKey } from "./signing-key.ts";

const algorithms: readonly SigningAlgorithm[] = ["rsa-sha256", "ed25519-sha256"];
const selectorLetters = { "rsa-sha256": "r", "ed25519-sha256": "e" } as const;

/** How soon another replica's rotation is seen here; far less than the lead a new key is given. */
const refreshMs = 60_000;

/** A public half to be published. */
export interface PublishedKey {
  selector: string;
  algorithm: SigningAlgorithm;
  publicKey: string;
}

interface KeyRow {
  selector: string;
  algorithm: SigningAlgorithm;
  sealed: Buffer;
  signsFrom: Date;
}

/** The keys of SERVICE_DOMAIN: made at the first start, shared by all replicas through the database, in memory while they sign. */
export class SigningKeys {
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

  /** Makes what is missing, then reads the keys. */
  async start(): Promise<void> {
    await this.#alone(async (tx) => {
      const { rows } = await tx.query<{ algorithm: SigningAlgorithm }>("select distinct algorithm from signing_key");
      const present = new Set(rows.map(({ algorithm }) => algorithm));
      for (const algorithm of algorithms) if (!present.has(algorithm)) await this.#make(tx, algorithm, 0);
    });
    await this.refresh();
  }

  /** The key that signs now; the first one signs although its record may not be published yet: then it says nothing. */
  current(algorithm: SigningAlgorithm): SigningKey {
    const now = Date.now();
    const found = this.#keys.find(({ key, signsFromMs }) => key.algorithm === algorithm && signsFromMs <= now);
    if (!found) throw new Outage("signing keys", { operator: `no ${algorithm} key may sign yet` });
    return found.key;
  }

  /** Everything whose signatures may still be looked at, newest first. */
  async published(): Promise<PublishedKey[]> {
    const { rows } = await this.#db.query<PublishedKey>(
      `select selector, algorithm, public_key from signing_key order by algorithm desc, signs_from desc`,
    );
    return rows;
  }

  /** Makes new keys, to be published now and to sign from then on. @param leadH hours for their records to be published */
  async rotate(leadH: number): Promise<string[]> {
    const selectors: string[] = [];
    await this.#alone(async (tx) => {
      for (const algorithm of algorithms) selectors.push(await this.#make(tx, algorithm, leadH));
    });
    await this.refresh();
    return selectors;
  }

  /** Sees what other replicas made, lets go of what retired long ago, and seals anew what the previous SECRET_KEY sealed. */
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

  /** Keeps `refresh` going. */
  work(logger: Logger): BackgroundTask {
    return new PollingTask({
      name: "signing keys",
      intervalMs: refreshMs,
      logger,
      run: () => this.refresh().then(() => false),
    });
  }

  /** Replicas that start together must not each make their own. */
  #alone(run: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#db.tx(async (tx) => {
      await tx.query("lock table signing_key in share row exclusive mode");
      await run(tx);
    });
  }

  async #make(tx: Queryable, algorithm: SigningAlgorithm, leadH: number): Promise<string> {
    const selector = await freeSelector(tx, algorithm);
    const privateKey = await makePrivateKey(algorithm);
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await tx.query(
      `insert into signing_key (selector, algorithm, sealed, public_key, signs_from)
       values ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
      [selector, algorithm, this.#sealer.seal(pem, placeOf(selector)), publishedForm(privateKey), leadH],
    );
    return selector;
  }

  #opened({ selector, algorithm, sealed }: KeyRow): SigningKey {
    const known = this.#keys.find(({ key }) => key.selector === selector);
    const open = () => createPrivateKey(this.#sealer.open(sealed, placeOf(selector)));
    return known?.key ?? new SigningKey(selector, algorithm, open());
  }

  async #reseal({ selector, sealed }: KeyRow): Promise<void> {
    const { previousKeyMark } = this.#sealer;
    if (!previousKeyMark || !sealed.subarray(0, previousKeyMark.length).equals(previousKeyMark)) return;
    const anew = this.#sealer.seal(this.#sealer.open(sealed, placeOf(selector)), placeOf(selector));
    await this.#db.query("update signing_key set sealed = $2 where selector = $1", [selector, anew]);
  }
}

function placeOf(selector: string): string {
  return `signing_key/${selector}`;
}

/** The algorithm's letter and the day, so that a record tells its age: r20261121, then r20261121-2. */
async function freeSelector(tx: Queryable, algorithm: SigningAlgorithm): Promise<string> {
  const day = `${selectorLetters[algorithm]}${new Date().toISOString().slice(0, 10).replaceAll("-", "")}`;
  const { rows } = await tx.query<{ selector: string }>("select selector from signing_key");
  const taken = new Set(rows.map(({ selector }) => selector));
  let selector = day;
  for (let count = 2; taken.has(selector); count += 1) selector = `${day}-${count}`;
  return selector;
}
