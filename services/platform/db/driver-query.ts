import type pg from "pg";
import { RowQuery } from "./row-query.ts";

/** Told how a query has ended: by an error, or by its result. */
export type OnResult = (error: Error | null | undefined, result?: pg.QueryResult) => void;

/** What takes queries of one's own with a callback. The driver's pools and connections do, which their typings leave out. */
export interface QueryRunner {
  query(query: pg.Query, onResult: OnResult): void;
}

export type QueryTarget = pg.Pool | pg.ClientBase | QueryRunner;

/** Hands a query over, and calls `onResult` once it has ended. */
export function startQuery(on: QueryTarget, query: pg.Query, onResult: OnResult): void {
  (on as QueryRunner).query(query, onResult);
}

/** @throws what the driver gives: see translateError */
export function runQuery<Row extends object>(on: QueryTarget, query: pg.Query): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    startQuery(on, query, (error, result) => (error || !result ? reject(error) : resolve(result)));
  });
}

/** The rows of one statement on a connection outside any pool. @throws as runQuery does */
export async function rowsOf<Row extends object>(
  client: pg.Client,
  sql: string,
  params: unknown[] = [],
): Promise<Row[]> {
  return (await runQuery<Row>(client, new RowQuery(sql, params))).rows;
}
