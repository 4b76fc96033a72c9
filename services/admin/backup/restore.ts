import { once } from "node:events";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { type RowStream, type SchemaContent, SnapshotLoader, type TableColumns } from "../../platform/db/dump.ts";
import { startEmbeddedPostgres } from "../../platform/db/embedded.ts";
import { migrate, wantedMigrations } from "../../platform/db/migrate.ts";
import { provision } from "../../platform/db/provision.ts";
import { messageOf, Outage, Refusal } from "../../platform/errors.ts";
import { makeDataFolder } from "../../platform/files.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import type { ServiceDefinition } from "../../platform/service.ts";
import { createLogger, type Logger } from "../../platform/telemetry/logger.ts";
import { type Command, UsageError } from "../command.ts";
import { type ArchiveEntry, readArchive } from "./archive.ts";
import { embeddedSettings } from "./backup.ts";
import { blobEntryPrefix, entryNames, isProvedBy, type Manifest, manifestFormat } from "./manifest.ts";

export const restore: Command = {
  name: "restore",
  synopsis: "FILE",
  sentence: "Fills an empty DATA_DIR with what `backup` wrote, by this release or a former one.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [path = ""] }) {
    const { DATA_DIR: dataDir, SECRET_KEY } = embeddedSettings(installation, "restore");
    await makeDataFolder(dataDir);
    if ((await readdir(dataDir)).length > 0)
      throw new UsageError(`restore: ${dataDir} is not empty; nothing was changed`);
    const aside = join(dataDir, "restoring");
    const services = installation.storedServices();
    try {
      const restored = await fill({
        aside,
        entries: readArchive(path),
        services,
        givenKey: SECRET_KEY,
        logger: createLogger(installation.settings()),
      });
      await putInPlace(aside, dataDir, restored.keyFile);
      const lines = [`Restored ${restored.rows} rows as they were at ${restored.madeAt} into ${dataDir}.`];
      return { json: { rows: restored.rows, madeAt: restored.madeAt }, lines };
    } catch (error) {
      if (error instanceof Outage) throw error;
      const reason = error instanceof Refusal ? error.publicMessage : messageOf(error);
      throw invalid(`${path} could not be restored, and nothing was changed: ${reason}`, error);
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  },
};

interface Filling {
  /** A folder for the new cluster, until it is whole. */
  readonly aside: string;
  readonly entries: AsyncGenerator<ArchiveEntry, void>;
  readonly services: readonly ServiceDefinition[];
  /** SECRET_KEY, if it is set. */
  readonly givenKey: string | undefined;
  readonly logger: Logger;
}

interface Restored {
  readonly madeAt: string;
  readonly rows: number;
  readonly keyFile: string | undefined;
}

function invalid(sentence: string, cause?: unknown): Refusal {
  return new Refusal("ValidationFailed", { public: sentence, cause });
}

async function fill({ aside, entries, services, givenKey, logger }: Filling): Promise<Restored> {
  const manifest = manifestIn((await entries.next()).value ?? undefined);
  await refuseLaterReleases(manifest, services);
  const second = (await entries.next()).value ?? undefined;
  const keyFile = second?.name === entryNames.secretKey ? second.bytes.toString().trim() : undefined;
  const secretKey = givenKey ?? keyFile;
  if (secretKey === undefined) throw invalid("set SECRET_KEY to the one that this backup was made with");
  if (!isProvedBy(secretKey, manifest)) throw invalid("SECRET_KEY is not the one that this backup was made with");
  await mkdir(aside, { mode: 0o755 });
  const server = await startEmbeddedPostgres({ dataDir: aside, logger });
  try {
    const secrets = new Secrets(secretKey);
    const urls = await provision({ adminUrl: server.url, services: manifest.schemas, secrets, logger });
    for (const schema of manifest.schemas) await makeSchema(schema, urls, services, logger);
    const rest = second && keyFile === undefined ? withFirst(second, entries) : entries;
    const rows = await load(server.url, manifest, rest);
    return { madeAt: manifest.madeAt, rows, keyFile: givenKey === undefined ? keyFile : undefined };
  } finally {
    await server.stop();
  }
}

function manifestIn(entry: ArchiveEntry | undefined): Manifest {
  const manifest = entry?.name === entryNames.manifest ? JSON.parse(entry.bytes.toString()) : undefined;
  if (manifest?.format !== manifestFormat) throw invalid("this is no backup that this release can read");
  return manifest;
}

async function refuseLaterReleases({ schemas }: Manifest, services: readonly ServiceDefinition[]): Promise<void> {
  for (const { name, migrations } of schemas) {
    const known = new Set((await wantedMigrations(name, migrationsOf(name, services))).map(({ name }) => name));
    const unknown = migrations.find((migration) => !known.has(migration));
    if (unknown) throw invalid(`the backup was made by a later release: ${unknown} is not known here`);
  }
}

function migrationsOf(schema: string, services: readonly ServiceDefinition[]): URL | undefined {
  return services.find(({ name }) => name === schema)?.migrations;
}

/** As the release that made the backup had it; the next start brings it up to date. */
async function makeSchema(
  { name: schema, migrations: only }: SchemaContent,
  urls: ReadonlyMap<string, string>,
  services: readonly ServiceDefinition[],
  logger: Logger,
): Promise<void> {
  const url = urls.get(schema) ?? "";
  const migrations = migrationsOf(schema, services);
  await migrate({ url, schema, ...(migrations && { migrations }), only: new Set(only), logger });
}

/** @returns how many rows. */
async function load(url: string, { schemas }: Manifest, entries: AsyncIterable<ArchiveEntry>): Promise<number> {
  const loader = await SnapshotLoader.open(url);
  const tables = new Map<string, { schema: SchemaContent; table: TableColumns }>(
    schemas.flatMap((schema) =>
      schema.tables.map((table) => [`${schema.name}/${table.name}`, { schema, table }] as const),
    ),
  );
  const counts: Record<string, number> = {};
  let current: { name: string; rows: RowStream<NodeJS.WritableStream> } | undefined;
  const endCurrent = async () => {
    if (!current) return;
    current.rows.stream.end();
    await finished(current.rows.stream);
    counts[current.name] = current.rows.rowCount();
    current = undefined;
  };
  try {
    for (const schema of schemas) await loader.prepare(schema);
    for await (const { name, bytes } of entries) {
      if (name === entryNames.rowCounts) {
        await endCurrent();
        const rows = compareCounts(JSON.parse(bytes.toString()), counts);
        await loader.commit();
        return rows;
      }
      if (name.startsWith(blobEntryPrefix)) {
        await endCurrent();
        const [schema = "", id = ""] = name.slice(blobEntryPrefix.length).split("/");
        await loader.putBytes(schema, id, bytes);
        continue;
      }
      const table = name.slice(0, name.lastIndexOf("/"));
      if (current?.name !== table) {
        await endCurrent();
        const found = tables.get(table);
        if (!found) throw invalid(`${name} is of no table in the backup's list`);
        current = { name: table, rows: loader.rows(found.schema.name, found.table) };
      }
      const { stream } = current.rows;
      if (!stream.write(bytes)) await once(stream, "drain");
    }
    throw invalid("the backup was cut: its end is missing");
  } finally {
    await loader.close();
  }
}

/** @returns the sum @throws Refusal where a table lacks rows */
function compareCounts(expected: Record<string, number>, counts: Record<string, number>): number {
  for (const [table, count] of Object.entries(expected))
    if ((counts[table] ?? 0) !== count)
      throw invalid(`${table} should have ${count} rows, and has ${counts[table] ?? 0}`);
  return Object.values(expected).reduce((sum, count) => sum + count, 0);
}

async function* withFirst(first: ArchiveEntry, rest: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry, void> {
  yield first;
  yield* rest;
}

/** The key before the cluster: a start between the two makes an empty cluster, and no second key. */
async function putInPlace(aside: string, dataDir: string, keyFile: string | undefined): Promise<void> {
  if (keyFile !== undefined) {
    const path = join(aside, "secret-key");
    await writeFile(path, `${keyFile}\n`, { mode: 0o600, flush: true });
    await rename(path, join(dataDir, "secret-key"));
  }
  await rename(join(aside, "postgres"), join(dataDir, "postgres"));
  const folder = await open(dataDir, "r");
  await folder.sync();
  await folder.close();
}
