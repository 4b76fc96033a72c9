import type { Readable, Writable } from "node:stream";
import pg from "pg";
import copyStreams from "pg-copy-streams";
import type { FramedBlob } from "../blobs/segments/frames.ts";
import { closeClient, newClient } from "./connection.ts";
import { rowsOf } from "./driver-query.ts";
import { translateError } from "./errors.ts";

/** What a schema holds, besides the rows themselves. */
export interface SchemaContent {
  readonly name: string;
  /** Names of the migrations that made it. */
  readonly migrations: readonly string[];
  readonly tables: readonly TableColumns[];
  readonly sequences: readonly SequenceValue[];
}

export interface TableColumns {
  readonly name: string;
  /** Those that are stored, not generated from others. */
  readonly columns: readonly string[];
}

interface SequenceValue {
  readonly name: string;
  /** Null for one that has given no number yet. */
  readonly lastValue: string | null;
}

/** Rows in the text format of COPY (PostgreSQL, COPY, "Text Format"). */
export interface RowStream<Stream> {
  readonly stream: Stream;
  /** Once the stream has ended. */
  rowCount(): number;
}

const migrationTable = "schema_migration";

/** Schemas as they are at one moment, whatever is committed meanwhile. */
export class Snapshot {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** @param url of a superuser @throws Outage */
  static async open(url: string): Promise<Snapshot> {
    const client = await connect(url, "postern backup");
    await client.query("begin isolation level repeatable read read only");
    return new Snapshot(client);
  }

  async content(schema: string): Promise<SchemaContent> {
    const tables = await rowsOf<TableColumns>(
      this.#client,
      `select relname as name, array_agg(attname::text order by attnum) as columns
       from pg_class join pg_attribute on attrelid = pg_class.oid
       where relnamespace = $1::regnamespace and relkind = 'r' and relname <> $2
         and attnum > 0 and not attisdropped and attgenerated = ''
       group by relname order by relname`,
      [pg.escapeIdentifier(schema), migrationTable],
    );
    const sequences = await rowsOf<SequenceValue>(
      this.#client,
      `select sequencename::text as name, last_value::text as last_value from pg_sequences where schemaname = $1 order by 1`,
      [schema],
    );
    const migrations = await rowsOf<{ name: string }>(
      this.#client,
      `select name from ${qualified(schema, migrationTable)} order by name`,
    );
    return { name: schema, migrations: migrations.map(({ name }) => name), tables, sequences };
  }

  /** What lies in files (platform/blobs/segments). */
  async framedBlobs(schema: string): Promise<FramedBlob[]> {
    return rowsOf(
      this.#client,
      `select id, segment, segment_offset as "offset", size_bytes from ${qualified(schema, "blob")}
        where segment is not null order by segment, segment_offset`,
    );
  }

  /** One at a time, each to be read to its end. */
  rows(schema: string, { name, columns }: TableColumns): RowStream<Readable> {
    const query = copyStreams.to(`copy ${qualified(schema, name)} (${names(columns)}) to stdout`);
    const stream = this.#client.query(query);
    return { stream, rowCount: () => query.rowCount };
  }

  async close(): Promise<void> {
    await closeClient(this.#client);
  }
}

/** Fills schemas that were just made, in one transaction. */
export class SnapshotLoader {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** @param url of a superuser @throws Outage */
  static async open(url: string): Promise<SnapshotLoader> {
    const client = await connect(url, "postern restore");
    await client.query("begin");
    // What was consistent stays so: neither triggers nor foreign keys are run for each row.
    await client.query("set local session_replication_role = replica");
    return new SnapshotLoader(client);
  }

  /** Empties the tables, which may hold what their migrations put there, and sets the sequences. */
  async prepare({ name: schema, tables, sequences }: SchemaContent): Promise<void> {
    if (tables.length > 0)
      await this.#client.query(`truncate ${tables.map(({ name }) => qualified(schema, name)).join(", ")}`);
    for (const { name, lastValue } of sequences)
      if (lastValue !== null) await this.#client.query("select setval($1, $2)", [qualified(schema, name), lastValue]);
  }

  /** One at a time, each to be ended before the next. */
  rows(schema: string, { name, columns }: TableColumns): RowStream<Writable> {
    const query = copyStreams.from(`copy ${qualified(schema, name)} (${names(columns)}) from stdin`);
    const stream = this.#client.query(query);
    // Whoever writes sees the error; a copy that is broken off by `close` has nobody left who writes.
    stream.on("error", () => undefined);
    return { stream, rowCount: () => query.rowCount };
  }

  /** The bytes of a blob that lay in a file: into its row, which was loaded before. */
  async putBytes(schema: string, id: string, bytes: Buffer): Promise<void> {
    await this.#client.query(
      `update ${qualified(schema, "blob")} set bytes = $2, segment = null, segment_offset = null where id = $1`,
      [id, bytes],
    );
  }

  async commit(): Promise<void> {
    await this.#client.query("commit");
  }

  /** What was not committed is undone. */
  async close(): Promise<void> {
    await closeClient(this.#client);
  }
}

/** Not pipelined: a copy has the connection for itself. */
async function connect(url: string, applicationName: string): Promise<pg.Client> {
  const client = newClient({ url, applicationName, statementTimeoutMs: 0 }, { isPipelined: false });
  // An error on the connection also fails its queries.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await closeClient(client);
    throw translateError(error);
  }
}

function qualified(schema: string, name: string): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

function names(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(", ");
}
