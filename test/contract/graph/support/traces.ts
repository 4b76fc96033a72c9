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
    const places = await this.placesOfEach(words);
    return [...new Set([...places.values()].flat())].sort();
  }

  /** Where each of these is found. */
  async placesOfEach(words: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    const { rows: columns } = await this.#db.query<Column>(columnsSql);
    const places = new Map(words.map((word) => [word, [] as string[]]));
    // One after the other: hundreds at once would wait longer for a connection than a pool allows.
    for (const column of columns)
      for (const word of await this.#heldBy(column, words))
        places.get(word)?.push(`${column.schema}.${column.table}.${column.column}`);
    return places;
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

  /** Those that stand in a column, in whatever case. Each value is made text and lower case once for all: that takes longer than to search it. */
  async #heldBy({ schema, table, column }: Column, words: readonly string[]): Promise<string[]> {
    const sought = words.flatMap((word) => formsOf(word).map((form) => ({ word, form: form.toLowerCase() })));
    const { rows } = await this.#db.query<{ word: string }>(
      `with content as materialized (select lower("${column}"::text) as text from "${schema}"."${table}")
       select distinct word from content, unnest($1::text[], $2::text[]) as sought (word, form) where strpos(text, form) > 0`,
      [sought.map(({ word }) => word), sought.map(({ form }) => form)],
    );
    return rows.map(({ word }) => word);
  }
}

/** As it is; as a bytea that holds it is written; and an id without its hyphens, as a bytea of its 16 bytes is. */
function formsOf(word: string): string[] {
  const id = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(word) ? [word.replaceAll("-", "")] : [];
  return [word, Buffer.from(word).toString("hex"), ...id];
}
