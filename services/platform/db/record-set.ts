import { type BinaryTypes, binaryArray } from "./binary-values.ts";
import { columnName } from "./row-query.ts";

/** The PostgreSQL types that a column of a set may have, and what JavaScript has for each. */
type ColumnTypes = Omit<BinaryTypes, "json" | "jsonb"> & {
  json: unknown;
  jsonb: unknown;
  "uuid[]": readonly string[];
};

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
   * @param first the number of its first parameter; it takes one for each column, so that the others come before
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
 * Each column travels as one binary array. In batches of ten rows and more that takes half of what JSON takes of the server's CPU, which
 * makes a hash table of each row, and no more of ours. An absent value is null. A list of single values needs none of this: it is an
 * array, as in `= any ($1::uuid[])`.
 */
export function recordSet<const C extends Columns>(types: C): RecordSet<C> {
  const names = Object.keys(types);
  const columns = names.map(columnName).join(", ");
  const values = names.map((name) => (types[name] === "uuid[]" ? `${columnName(name)}::uuid[]` : columnName(name)));
  const sources = (first: number) =>
    names.map((name, index) => `unnest($${first + index}::${arrayOf(types[name] as ColumnType)}[])`).join(", ");
  const from = (alias: string, first: number, ordinality: string, position: string) =>
    `(select ${values.join(", ")}${position} from rows from (${sources(first)}, ${fixedEstimate}) ${ordinality} as given (${columns}, estimate${position})) as ${alias}`;
  return {
    columns,
    from: (alias, first = 1) => from(alias, first, "", ""),
    fromOrdered: (alias, first = 1) => from(alias, first, "with ordinality", ", position"),
    params: (rows) =>
      names.map((name) =>
        encoded(
          types[name] as ColumnType,
          rows.map((row) => row[name]),
        ),
      ),
  };
}

/**
 * No rows, of which the planner expects a hundred, and so as many of the whole set. From the arrays it would expect their lengths where
 * it plans for these parameters and ten where it plans for any: it would then plan anew for each small batch, which takes longer than
 * the statement.
 */
const fixedEstimate = "json_array_elements(null)";

/** There are no arrays of arrays of different lengths: each is a text. */
function arrayOf(type: ColumnType): string {
  return type === "uuid[]" ? "text" : type;
}

function encoded(type: ColumnType, values: readonly unknown[]): Buffer {
  if (type === "uuid[]")
    return binaryArray(
      "text",
      present(values, (ids) => `{${(ids as string[]).join(",")}}`),
    );
  if (type === "json" || type === "jsonb") return binaryArray(type, present(values, asJson));
  return binaryArray(type, values as never[]);
}

function present<Result>(values: readonly unknown[], map: (value: unknown) => Result): (Result | null)[] {
  return values.map((value) => (value === null || value === undefined ? null : map(value)));
}

/** JSON.stringify writes a lone surrogate as an escape, which PostgreSQL does not take: as UTF-8 it is U+FFFD. */
const loneSurrogate = /\\ud[89a-f]/;

function asJson(value: unknown): string {
  const text = JSON.stringify(value);
  return loneSurrogate.test(text) ? JSON.stringify(value, (_, part) => wellFormed(part)) : text;
}

function wellFormed(value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
