import { asSuperuser } from "../support/peers/database.ts";

/** The rows of one service at one moment, to which it can be taken back while the others go on from where they are. */
export class SchemaSnapshot {
  readonly #url: string;
  readonly #schema: string;

  private constructor(url: string, schema: string) {
    this.#url = url;
    this.#schema = schema;
  }

  static async take(url: string, schema: string): Promise<SchemaSnapshot> {
    await asSuperuser(url, `create schema ${schema}_then`);
    const snapshot = new SchemaSnapshot(url, schema);
    // All tables at one moment, as a backup has them.
    const copies = (await snapshot.#tables()).map(
      (table) => `create table ${schema}_then.${table} as table ${schema}.${table};`,
    );
    await asSuperuser(url, `begin isolation level repeatable read; ${copies.join("\n")} commit`);
    return snapshot;
  }

  /** While the service is down. */
  async restore(): Promise<void> {
    const schema = this.#schema;
    const tables = await this.#tables();
    const columns = await this.#columns();
    const copies = tables.map((table) => {
      const names = columns.get(table);
      return `insert into ${schema}.${table} (${names}) overriding system value select ${names} from ${schema}_then.${table};`;
    });
    await asSuperuser(
      this.#url,
      `begin;
       set local session_replication_role = replica;
       truncate ${tables.map((table) => `${schema}.${table}`).join(", ")};
       ${copies.join("\n")}
       commit`,
    );
    await asSuperuser(this.#url, `drop schema ${schema}_then cascade`);
  }

  /** Of each table, but for those that PostgreSQL computes. */
  async #columns(): Promise<Map<string, string>> {
    const rows = await asSuperuser<{ name: string; columns: string }>(
      this.#url,
      `select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
         from information_schema.columns where table_schema = $1 and is_generated = 'NEVER' group by table_name`,
      [this.#schema],
    );
    return new Map(rows.map(({ name, columns }) => [name, columns]));
  }

  async #tables(): Promise<string[]> {
    const rows = await asSuperuser<{ name: string }>(
      this.#url,
      "select quote_ident(tablename) as name from pg_tables where schemaname = $1 and tablename <> 'schema_migration' order by 1",
      [this.#schema],
    );
    return rows.map(({ name }) => name);
  }
}
