import { openDatabase } from "../../../../services/platform/db/database.ts";
import type { Database } from "../../../../services/platform/db/types.ts";
import { silentLogger } from "../../../support/peers/database.ts";

interface Column {
  schema: string;
  table: string;
  column: string;
}

const columnsSql = `select table_schema as schema, table_name as table, column_name as column
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
 where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;

/** Looks into every column of every table of every schema, the platform's included. */
export class WholeDatabase {
  readonly #db: Database;

  constructor(url: string) {
    this.#db = openDatabase({ url, schema: "public", logger: silentLogger, poolSize: 4 });
  }

  /** Where any of these is found, as `schema.table.column`: as text, within text or JSON, and within bytes. */
  async placesOf(words: readonly string[]): Promise<string[]> {
    const { rows: columns } = await this.#db.query<Column>(columnsSql);
    const forms = words.flatMap(formsOf).map((form) => `%${form.replace(/[\\%_]/g, "\\$&")}%`);
    const places: string[] = [];
    // One after the other: hundreds at once would wait longer for a connection than a pool allows.
    for (const column of columns)
      if (await this.#holds(column, forms)) places.push(`${column.schema}.${column.table}.${column.column}`);
    return places.sort();
  }

  /** A whole column, in its text form. */
  async valuesOf(place: string): Promise<string[]> {
    const [schema, table, column] = place.split(".");
    const { rows } = await this.#db.query<{ value: string }>(
      `select "${column}"::text as value from "${schema}"."${table}"`,
    );
    return rows.map(({ value }) => value);
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  async #holds({ schema, table, column }: Column, forms: readonly string[]): Promise<boolean> {
    const { rows } = await this.#db.query<{ isFound: boolean }>(
      `select exists (select from "${schema}"."${table}" where "${column}"::text ilike any ($1)) as is_found`,
      [forms],
    );
    return rows[0]?.isFound ?? false;
  }
}

/** As it is; as a bytea that holds it is written; and an id without its hyphens, as a bytea of its 16 bytes is. */
function formsOf(word: string): string[] {
  const id = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(word) ? [word.replaceAll("-", "")] : [];
  return [word, Buffer.from(word).toString("hex"), ...id];
}
