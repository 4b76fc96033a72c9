import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { Outage } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { closeClient, newClient } from "./connection.ts";
import { translateError } from "./errors.ts";
import { lockNumber } from "./lock.ts";

interface MigrationSettings {
  /** As the role that owns the schema. */
  url: string;
  schema: string;
  /** The service's own; the platform's run before them. Absent: those alone. */
  migrations?: URL;
  /** The names of those to apply, for a schema as a former release had it. Absent: all. */
  only?: ReadonlySet<string>;
  logger: Logger;
}

interface Migration {
  /** platform/0001_events.sql, bindings/0001_bindings.sql: what schema_migration remembers it by. */
  name: string;
  sql: string;
  checksum: string;
}

const platformMigrations = new URL("../migrations/", import.meta.url);

/** How long another process that migrates the same schema is waited for. */
const lockPatienceMs = 600_000;

/**
 * Applies what has not been applied yet: files 0001_what.sql in order, a transaction each, forward only. Any number of
 * processes may do so at once. Resolves to the names of those applied.
 * @throws Error with a sentence if a file that was applied has changed, or comes before one that was.
 */
export async function migrate({ url, schema, migrations, only, logger }: MigrationSettings): Promise<string[]> {
  const all = await wantedMigrations(schema, migrations);
  const wanted = only ? all.filter(({ name }) => only.has(name)) : all;
  // A migration may take its time; what it may not do is keep everybody waiting for a lock.
  const client = newClient({ url, schema, applicationName: "postern migrate", statementTimeoutMs: 0 });
  const lost = new Promise<never>((_, reject) => client.on("error", reject));
  try {
    return await Promise.race([lost, applyMissing(client, schema, wanted, logger)]);
  } catch (error) {
    throw translateError(error);
  } finally {
    await closeClient(client);
  }
}

/** All that a schema is made of, in order. */
export async function wantedMigrations(schema: string, migrations: URL | undefined): Promise<Migration[]> {
  const ofService = migrations ? await readMigrations(schema, migrations) : [];
  return [...(await readMigrations("platform", platformMigrations)), ...ofService];
}

/** The migrations of a folder, in order. A set's name keeps two folders apart in one schema. */
async function readMigrations(set: string, folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const numbers = new Set<string>();
  return Promise.all(
    files.map(async (file) => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1];
      if (number === undefined) throw new Error(`Migration ${set}/${file}: expected a name like 0001_what.sql`);
      if (numbers.has(number)) throw new Error(`Migration ${set}/${file}: its number is taken`);
      numbers.add(number);
      const sql = await readFile(new URL(file, folder), "utf8");
      return { name: `${set}/${file}`, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

async function applyMissing(client: pg.Client, schema: string, wanted: Migration[], logger: Logger): Promise<string[]> {
  await client.connect();
  await lock(client, schema);
  await client.query("set lock_timeout = '10s'");
  await client.query(
    `create table if not exists schema_migration (
       name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "select name, checksum from schema_migration",
  );
  const missing = pending(wanted, new Map(rows.map(({ name, checksum }) => [name, checksum])));
  for (const migration of missing) await apply(client, migration);
  const names = missing.map(({ name }) => name);
  if (names.length > 0) logger.info({ schema, migrations: names }, "applied migrations");
  return names;
}

/** Polled: a statement that waits for the lock would hold back vacuum, and outlive us. */
async function lock(client: pg.Client, schema: string): Promise<void> {
  for (const until = performance.now() + lockPatienceMs; performance.now() < until; await delay(50)) {
    const sql = "select pg_try_advisory_lock($1::bigint) as held";
    const { rows } = await client.query<{ held: boolean }>(sql, [lockNumber(`${schema}:migrate`)]);
    if (rows[0]?.held) return;
  }
  throw new Outage("database", { operator: `another process has been migrating ${schema} for ten minutes` });
}

/** What is to be applied, given the checksums of what has been. What only a later release knows is none of our business. */
function pending(wanted: Migration[], applied: Map<string, string>): Migration[] {
  const missing = wanted.filter(({ name }) => !applied.has(name));
  for (const { name, checksum } of wanted) {
    if (applied.has(name) && applied.get(name) !== checksum) {
      throw new Error(
        `Migration ${name} has changed since it was applied: restore it, and put the change into a new file`,
      );
    }
  }
  for (const { name } of missing) {
    const set = name.slice(0, name.indexOf("/") + 1);
    const later = [...applied.keys()].find((other) => other.startsWith(set) && other > name);
    if (later) throw new Error(`Migration ${name} comes before ${later}, which was applied: give it a higher number`);
  }
  return missing;
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query("begin");
  try {
    // Without parameters the text may hold several statements.
    await client.query(sql);
    await client.query("insert into schema_migration (name, checksum) values ($1, $2)", [name, checksum]);
    await client.query("commit");
  } catch (cause) {
    const outcome = translateError(cause);
    if (outcome instanceof Outage) throw outcome;
    throw new Error(`Migration ${name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
