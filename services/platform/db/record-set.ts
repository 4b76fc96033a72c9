import { columnName } from "./row-query.ts";

/** The PostgreSQL types that a column of a set may have, and what JavaScript has for each. */
interface ColumnTypes {
  uuid: string;
  "uuid[]": readonly string[];
  text: string;
  boolean: boolean;
  integer: number;
  bigint: number;
  float8: number;
  timestamptz: Date;
  json: unknown;
  jsonb: unknown;
  bytea: Buffer;
}

type ColumnType = keyof ColumnTypes;

export type Columns = Readonly<Record<string, ColumnType>>;

/** What a row of the set has to have; it may have more. */
export type RecordOf<C extends Columns> = { readonly [Name in keyof C]: ColumnTypes[C[Name]] | null | undefined };

/** A set of rows as parameters of one statement. */
interface RecordSet<C extends Columns> {
  /** Its columns, for `insert into table (…)` and `select …`. */
  readonly columns: string;
  /**
   * The set as an item of `from`, under a name.
   * @param first the number of its first parameter; it takes one, and one more for each bytea
   */
  from(alias: string, first?: number): string;
  /** The set as an item of `from`, with each row's position, counted from 1, in the column `position`. */
  fromOrdered(alias: string, first?: number): string;
  params(rows: readonly RecordOf<C>[]): unknown[];
}

/**
 * The one way to hand a set of rows to a statement, for `insert … select`, `update … from` and joins:
 *
 *     const claims = recordSet({ digest: "bytea", ownerId: "uuid" });
 *     tx.query(`insert into claim (${claims.columns}) select * from ${claims.from("claim")}`, claims.params(rows))
 *
 * They travel as one JSON text, which costs less CPU on both sides than an array for each column in batches of up to some tens
 * of rows, and byteas as binary arrays. An absent value is null. A list of single values needs none of this: it is an array, as in `= any ($1::uuid[])`.
 */
export function recordSet<const C extends Columns>(types: C): RecordSet<C> {
  const names = Object.keys(types);
  const inJson = names.filter((name) => types[name] !== "bytea");
  const binary = names.filter((name) => types[name] === "bytea");
  const columns = [...inJson, ...binary].map(columnName).join(", ");
  const sources = (first: number) => {
    const arrays = binary.map((_, index) => `unnest($${first + index + (inJson.length > 0 ? 1 : 0)}::bytea[])`);
    if (inJson.length === 0) return arrays;
    const definitions = inJson.map((name) => `"${name}" ${types[name]}`).join(", ");
    return [`json_to_recordset($${first}::json) as (${definitions})`, ...arrays];
  };
  return {
    columns,
    from: (alias, first = 1) => `rows from (${sources(first).join(", ")}) as ${alias} (${columns})`,
    fromOrdered: (alias, first = 1) =>
      `rows from (${sources(first).join(", ")}) with ordinality as ${alias} (${columns}, position)`,
    params: (rows) => [
      ...(inJson.length > 0 ? [asJson(rows.map((row) => pick(row, inJson)))] : []),
      ...binary.map((name) => rows.map((row) => row[name])),
    ],
  };
}

/** PostgreSQL takes no lone surrogate, which JSON.stringify writes as an escape: as UTF-8 it would be U+FFFD. */
const loneSurrogate = /\\ud[89a-f]/;

function asJson(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  return loneSurrogate.test(text) ? JSON.stringify(rows, (_, value) => wellFormed(value)) : text;
}

function pick(row: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  const picked: Record<string, unknown> = {};
  for (const name of names) picked[name] = row[name];
  return picked;
}

function wellFormed(value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
