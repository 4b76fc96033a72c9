import type pg from "pg";
import { copyRows } from "./binary-copy.ts";
import { type QueryTarget, runQuery } from "./driver-query.ts";
import { isAfterFailure, translateError } from "./errors.ts";
import { observed } from "./observe.ts";
import { RowQuery } from "./row-query.ts";
import type { Database, QueryOptions, QueryResult, Transaction } from "./types.ts";
import { asParameters } from "./value-types.ts";

/** Runs one statement on a pool or connection, with our values, errors and telemetry. */
export async function runStatement<Row extends object>(
  on: QueryTarget,
  schema: string,
  sql: string,
  params: readonly unknown[] = [],
  options: QueryOptions = {},
): Promise<QueryResult<Row> & { command: string }> {
  return observed({ operation: "query", schema, name: options.name, sql }, async () => {
    try {
      const query = new RowQuery(sql, asParameters(params), options.unprepared ? undefined : options.name);
      const { rows, rowCount, command } = await runQuery<Row>(on, query);
      return { rows: rows as QueryResult<Row>["rows"], rowCount: rowCount ?? 0, command };
    } catch (error) {
      throw translateError(error);
    }
  });
}

/** A transaction in progress on one connection. */
export class OpenTransaction implements Transaction {
  readonly schema: string;
  readonly database: Database;
  readonly #client: pg.Client;
  readonly #afterCommit: (() => void)[] = [];
  #isOpen = true;
  #isGathering = false;
  #failure: unknown;

  constructor(client: pg.Client, database: Database) {
    this.#client = client;
    this.database = database;
    this.schema = database.schema;
  }

  /** Waited for before anything else goes out: were it alone to fail, what follows would commit statement by statement. */
  async begin(isolation: string): Promise<void> {
    await this.query(`begin isolation level ${isolation}`);
  }

  query<Row extends object = Record<string, unknown>>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ) {
    return this.#whileOpen(() => runStatement<Row>(this.#client, this.schema, sql, params, options));
  }

  copyRows(into: string, rows: readonly (readonly Buffer[])[]): Promise<void> {
    return this.#whileOpen(() => copyRows(this.#client, this.schema, into, rows));
  }

  /** Otherwise a forgotten await would run in somebody else's transaction. */
  #whileOpen<T>(run: () => Promise<T>): Promise<T> {
    if (!this.#isOpen)
      return Promise.reject(new Error("A query came after its transaction had ended: an await is missing"));
    this.#gather();
    const ran = run();
    ran.catch((error: unknown) => {
      if (!isAfterFailure(error)) this.#failure ??= error;
    });
    return ran;
  }

  /** Statements that are made at once go to the server in one write. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.#client.connection;
    stream.cork();
    queueMicrotask(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  afterCommit(run: () => void): void {
    this.#afterCommit.push(run);
  }

  /** Commits, and gives what is to run now that it is committed. */
  async commit(): Promise<readonly (() => void)[]> {
    this.#isOpen = false;
    const { command } = await runStatement(this.#client, this.schema, "commit");
    // PostgreSQL answers ROLLBACK, and no error, when a statement had failed and the failure was caught.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back: a statement in it had failed");
    return this.#afterCommit;
  }

  /**
   * Of statements that went out at once, the one that failed may be heard of after those behind it, which failed because of it.
   * Once the transaction has been rolled back: what went wrong, which may be another error than the one that ended it.
   */
  reasonOf(error: unknown): unknown {
    return isAfterFailure(error) ? (this.#failure ?? error) : error;
  }

  /** Whether the connection can be used again. */
  async rollback(): Promise<boolean> {
    this.#isOpen = false;
    return this.#client.query("rollback").then(
      () => true,
      () => false,
    );
  }
}
