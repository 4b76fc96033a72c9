import type pg from "pg";
import type { Logger } from "../telemetry/logger.ts";
import { copyBytea, copyRows } from "./binary-copy.ts";
import { answerLimitMs, type ConnectionSettings, connectionConfig, isAbsent } from "./connection.ts";
import { isTransient, translateError } from "./errors.ts";
import { GatheredReads } from "./gathered-reads.ts";
import { GrowingPool } from "./growing-pool.ts";
import { Listener } from "./listener.ts";
import { withAdvisoryLock } from "./lock.ts";
import { observed } from "./observe.ts";
import { SharedDatabaseSession } from "./shared-session.ts";
import { SilenceWatch } from "./silence-watch.ts";
import { OpenTransaction, runStatement } from "./transaction.ts";
import type { Database, LockOptions, QueryOptions, Transaction, TransactionOptions } from "./types.ts";

interface DatabaseSettings extends ConnectionSettings {
  schema: string;
  logger: Logger;
  /** Connections at most, beside one for `listen` and locks. Default 10. */
  poolSize?: number;
  /** How long one in use is waited for before another is opened. Default 20. */
  poolPatienceMs?: number;
  /** Where it listens and holds locks. Unless given, in a session of its own. */
  sharedSession?: SharedDatabaseSession | undefined;
}

/** Opens a database under one schema. Connects when first needed. */
export function openDatabase(settings: DatabaseSettings): Database {
  return new PooledDatabase(settings);
}

class PooledDatabase implements Database {
  readonly schema: string;
  readonly #settings: DatabaseSettings;
  readonly #pool: pg.Pool;
  readonly #gathered: GatheredReads;
  readonly #sharedSession: SharedDatabaseSession;
  readonly #listener: Listener;
  readonly #silence: SilenceWatch | undefined;

  constructor(settings: DatabaseSettings) {
    this.schema = settings.schema;
    this.#settings = settings;
    this.#sharedSession = settings.sharedSession ?? new SharedDatabaseSession(settings);
    this.#listener = new Listener(this.#sharedSession, settings.logger);
    const options = {
      ...connectionConfig(settings),
      // Statements that do not wait for each other's results go out at once.
      pipeline: true,
      max: settings.poolSize ?? 10,
      // What a burst opened takes 2 to 6 MiB of the server each: so 10 to 30 MiB less after one than with a minute, for the same CPU.
      idleTimeoutMillis: 10_000,
    };
    this.#pool = new GrowingPool(options, settings.poolPatienceMs ?? 20);
    this.#gathered = new GatheredReads(this.#pool);
    const limitMs = answerLimitMs(settings);
    if (limitMs !== undefined)
      this.#silence = new SilenceWatch(this.#pool, { limitMs, isAbsent: () => isAbsent(settings) });
    // An idle connection that was lost: the pool has dropped it already, the next query gets a new one or an Outage.
    this.#pool.on("error", (error) => {
      if (!this.#pool.ending) settings.logger.warn({ err: translateError(error) }, "lost an idle database connection");
    });
  }

  query<Row extends object = Record<string, unknown>>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ) {
    const on = options?.gathered ? this.#gathered : this.#pool;
    return runStatement<Row>(on, this.schema, sql, params, options);
  }

  copyRows(into: string, rows: readonly (readonly Buffer[])[]): Promise<void> {
    return copyRows(this.#pool, this.schema, into, rows);
  }

  copyBytea(select: string, params: readonly (string | number)[]): Promise<Buffer[]> {
    return copyBytea(this.#pool, this.schema, select, params);
  }

  async tx<T>(run: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { attempts = 1, name } = options;
    return observed({ operation: "tx", schema: this.schema, name, sql: undefined }, async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#runOnce(run, options);
        } catch (error) {
          if (attempt >= attempts || !isTransient(error)) throw error;
        }
      }
    });
  }

  async #runOnce<T>(
    run: (tx: Transaction) => Promise<T>,
    { isolation = "read committed" }: TransactionOptions,
  ): Promise<T> {
    const onError = (error: Error) =>
      this.#settings.logger.warn({ err: translateError(error) }, "lost a database connection in use");
    const client = await this.#checkOut(onError);
    const transaction = new OpenTransaction(client, this);
    let isReusable = true;
    let afterCommit: readonly (() => void)[] = [];
    try {
      await transaction.begin(isolation);
      const result = await run(transaction);
      afterCommit = await transaction.commit();
      return result;
    } catch (error) {
      isReusable = await transaction.rollback();
      throw transaction.reasonOf(error);
    } finally {
      client.off("error", onError);
      client.release(!isReusable);
      for (const act of afterCommit) act();
    }
  }

  /**
   * While a connection is checked out, the pool does not listen: a lost one must fail the statements, not the process. It may
   * be lost in the very packet that says it is ready, so that the next microtask would be too late.
   */
  #checkOut(onError: (error: Error) => void): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    this.#pool.connect((error, client) => {
      client?.on("error", onError);
      if (client) resolve(client);
      else reject(translateError(error));
    });
    return promise;
  }

  listen(channel: string, onNotify: (payload: string | undefined) => void): Promise<() => Promise<void>> {
    return this.#listener.listen(channel, onNotify);
  }

  withLock<T>(key: string, run: (signal: AbortSignal) => Promise<T>, options?: LockOptions): Promise<T | undefined> {
    return withAdvisoryLock(this.#sharedSession, `${this.schema}:${key}`, run, options);
  }

  async ping(): Promise<void> {
    await this.query("select 1");
  }

  async close(): Promise<void> {
    await this.#listener.close();
    if (!this.#pool.ending) await this.#pool.end();
    this.#silence?.end();
  }
}
