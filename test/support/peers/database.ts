import { createHash, randomBytes } from "node:crypto";
import { openDatabase } from "../../../services/platform/db/database.ts";
import { migrate, wantedMigrations } from "../../../services/platform/db/migrate.ts";
import { provision } from "../../../services/platform/db/provision.ts";
import type { Database, RowOf } from "../../../services/platform/db/types.ts";
import { Outage } from "../../../services/platform/errors.ts";
import { Secrets } from "../../../services/platform/security/secrets.ts";
import { createLogger, type Logger } from "../../../services/platform/telemetry/logger.ts";
import { testPostgres } from "./postgres.ts";

/** What the roles' passwords of test databases are derived from. */
const testSecrets = new Secrets("a secret for tests only");

/** A busy machine may take longer to connect than a service would wait. */
const connectTimeoutMs = 30_000;

export const silentLogger: Logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });

export interface TestDatabase extends Database {
  /** Of the service's own role. */
  readonly url: string;
  /** Of the superuser, in the same database. */
  readonly adminUrl: string;
  /** Closes it and drops the database. */
  dispose(): Promise<void>;
}

interface TestDatabaseSettings {
  schema: string;
  /** Absent: only the tables that the platform gives every schema. */
  migrations?: URL;
  logger?: Logger;
  poolSize?: number;
}

/** A database of its own for a test file, migrated, seen as the service sees it: a clone of one that is made once a run. */
export async function testDatabase(settings: TestDatabaseSettings): Promise<TestDatabase> {
  const { schema, migrations, logger = silentLogger, poolSize } = settings;
  const template = await templateDatabase(schema, migrations);
  const { url: adminUrl, dispose: drop } = await createDatabase(template);
  const urls = await throughOutages(() =>
    provision({ adminUrl, services: [{ name: schema }], secrets: testSecrets, logger }),
  );
  const url = urls.get(schema) ?? adminUrl;
  const database = openDatabase({ url, schema, logger, poolSize, connectTimeoutMs });
  const dispose = async () => {
    await database.close();
    await drop();
  };
  return Object.assign(database, { url, adminUrl, dispose });
}

/** An empty database, for a process that is to provision and migrate by itself. */
export function emptyDatabase(): Promise<{ url: string; dispose(): Promise<void> }> {
  return createDatabase("template0");
}

/** Ends a service's connections to its database, and does something while it gets none. Not by its role, which databases of one template share. */
export async function withoutConnections({ adminUrl }: TestDatabase, act: () => Promise<void>): Promise<void> {
  const name = new URL(adminUrl).pathname.slice(1);
  await asSuperuser(adminUrl, `alter database ${name} connection limit 0`);
  try {
    const others = "datname = current_database() and usename <> current_user";
    await asSuperuser(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    await act();
  } finally {
    await asSuperuser(adminUrl, `alter database ${name} connection limit -1`);
  }
}

/** Runs one statement as the superuser. */
export async function asSuperuser<Row extends object>(
  url: string,
  sql: string,
  params: unknown[] = [],
): Promise<RowOf<Row>[]> {
  const admin = openDatabase({ url, schema: "public", logger: silentLogger, poolSize: 1, connectTimeoutMs });
  try {
    return (await admin.query<Row>(sql, params)).rows;
  } finally {
    await admin.close();
  }
}

async function createDatabase(template: string): Promise<{ url: string; dispose(): Promise<void> }> {
  const server = await testPostgres();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asSuperuser(server, `create database ${name} template ${template} strategy file_copy`);
  const dispose = async () => {
    await asSuperuser(server, `drop database if exists ${name} with (force)`);
  };
  return { url: within(server, name), dispose };
}

const templates = new Map<string, Promise<string>>();

/** Built once per run and set of migrations; its name is what it is made of. */
async function templateDatabase(schema: string, folder?: URL): Promise<string> {
  const migrations = await wantedMigrations(schema, folder);
  const content = [schema, ...migrations.map(({ name, checksum }) => `${name} ${checksum}`)].join("\n");
  const name = `template_${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;
  const template = templates.get(name) ?? buildTemplate(name, schema, folder);
  templates.set(name, template);
  return template;
}

async function buildTemplate(name: string, schema: string, migrations?: URL): Promise<string> {
  const server = openDatabase({ url: await testPostgres(), schema: "public", logger: silentLogger, connectTimeoutMs });
  try {
    // Only one worker builds it.
    await throughOutages(() =>
      server.withLock(name, () => buildIfMissing(server, name, schema, migrations), { pollMs: 20 }),
    );
  } finally {
    await server.close();
  }
  return name;
}

/** Provisioning and migrating wait for a connection only as long as a service would. */
async function throughOutages<T>(run: () => Promise<T>): Promise<T> {
  for (let left = 10; ; left -= 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Outage) || left === 0) throw error;
    }
  }
}

async function buildIfMissing(server: Database, name: string, schema: string, migrations?: URL): Promise<void> {
  const { rowCount } = await server.query("select from pg_database where datname = $1", [name]);
  if (rowCount > 0) return;
  const aside = `${name}_new`;
  await server.query(`drop database if exists ${aside}`);
  await server.query(`create database ${aside} template template0`);
  const adminUrl = within(await testPostgres(), aside);
  const urls = await provision({ adminUrl, services: [{ name: schema }], secrets: testSecrets, logger: silentLogger });
  await migrate({ url: urls.get(schema) ?? adminUrl, schema, migrations, logger: silentLogger });
  await server.query(`alter database ${aside} rename to ${name}`);
}

function within(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
