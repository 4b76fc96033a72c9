/**
 * What a service sees of its database. Nothing of the driver leaks through here: a row is a plain object, an error is an
 * `Outage` (database out of reach, shut down, full: see errors.ts) or a `DatabaseError` (the statement itself was refused).
 * The column `received_at` is the property `receivedAt`: columns need no aliases.
 *
 * Values, both ways: timestamptz is Date; bigint and count(*) are number, and a value beyond 2^53 is an error, never rounded
 * (select it as text); numeric is string; date is "YYYY-MM-DD"; bytea is Buffer; json and jsonb are what they hold.
 * As a parameter, an array becomes a PostgreSQL array, so a JSON array has to be stringified by the caller.
 * Buffers and arrays of Buffers are sent in binary.
 */
export interface Queryable {
  /** Runs one statement. `sql` uses $1, $2 … for `params`; nothing is ever interpolated. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<QueryResult<Row>>;

  /**
   * Inserts rows, their fields in PostgreSQL's binary forms; for large values, which `query` would copy twice.
   * @param into a table and its columns: `name (column, column)`
   */
  copyRows(into: string, rows: readonly (readonly Buffer[])[]): Promise<void>;
}

/** A row as the type of a query may name it: a column's name with an underscore is none of its properties. */
export type RowOf<Row> = { [Name in keyof Row as Name extends `${string}_${string}` ? never : Name]: Row[Name] };

export interface QueryResult<Row> {
  rows: RowOf<Row>[];
  /** Rows returned or touched by the statement. */
  rowCount: number;
}

export interface QueryOptions {
  /**
   * Prepares the statement under this name once per connection. Worth it for hot statements; the same name must always
   * stand for the same text. It also names the statement in telemetry.
   */
  name?: string;
  /**
   * Plans the statement again at each call; its name is for telemetry only. For one whose best plan depends on its values, as on how
   * much mail somebody has: a prepared one is planned once, for the average.
   */
  unprepared?: boolean;
  /**
   * For a short select that waits for no lock: it shares a connection, and the write to it, with others that are asked for at the same
   * moment, and may wait for their answers. Looked at outside of transactions alone.
   */
  gathered?: boolean;
}

/**
 * Open until the function given to `tx` settles; a query after that is an error. Statements run in the order of the calls, and
 * those whose results are not needed by the next go out at once by `Promise.all`: the first that fails is what is thrown.
 */
export interface Transaction extends Queryable {
  readonly schema: string;
  /** The database that it was begun on. */
  readonly database: Database;
  /**
   * Runs once the transaction is committed, before `tx` resolves; never on rollback. For wake-ups inside this process and
   * the like: a crash may fall between the commit and the call, so nothing may depend on it. It must not throw.
   */
  afterCommit(run: () => void): void;
}

export interface TransactionOptions {
  /** Default: read committed. */
  isolation?: "read committed" | "repeatable read" | "serializable";
  /** How often to run in all when it fails by deadlock or serialization (see isTransient). Default 1; `run` must be repeatable. */
  attempts?: number;
  /** Names the transaction in telemetry. */
  name?: string;
}

export interface Database extends Queryable {
  /** The schema that unqualified names mean on every connection. */
  readonly schema: string;

  /**
   * The values of a select's one column, a bytea that is not null; for large values, which `query` would get as hexadecimal
   * text. `params` become literals of the statement.
   */
  copyBytea(select: string, params: readonly (string | number)[]): Promise<Buffer[]>;

  /** Commits if `run` resolves, rolls back if it rejects, and rejects if the commit did not happen. */
  tx<T>(run: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;

  /**
   * Calls `onNotify` with the payload of each NOTIFY on a channel, over a connection outside the pool that is kept and remade.
   * After each reconnect it is called with undefined, since notifications may have been missed. Never rejects for an
   * outage: it goes on trying. Channels are shared by the whole database: put the schema into the name.
   * Resolves to the function that ends it.
   */
  listen(channel: string, onNotify: (payload: string | undefined) => void): Promise<() => Promise<void>>;

  /**
   * Runs `run` while holding the advisory lock `key` of this schema, on the connection of `listen`; waits for the lock by
   * polling, because a waiting statement would hold back vacuum. `run` gets a signal that is aborted when the connection,
   * and with it the lock, is lost, or when `options.signal` is aborted; it has to end soon after.
   * Rejects with Outage if the lock was lost; resolves to undefined if `options.signal` was aborted while waiting.
   */
  withLock<T>(key: string, run: (signal: AbortSignal) => Promise<T>, options?: LockOptions): Promise<T | undefined>;

  /** Resolves if the database answers, within the statement timeout; else rejects with Outage. */
  ping(): Promise<void>;

  /** Waits for statements in progress, then closes every connection; later calls fail with an Outage. */
  close(): Promise<void>;
}

export interface LockOptions {
  signal?: AbortSignal;
  /** How often a held lock is tried again. Default 1000. */
  pollMs?: number;
}
