import { type SchemaContent, Snapshot } from "../../platform/db/dump.ts";
import { hasCluster } from "../../platform/db/embedded/cluster.ts";
import { startEmbeddedPostgres } from "../../platform/db/embedded.ts";
import { checkSecretKeyAt } from "../../platform/db/secret-key-check.ts";
import { exists } from "../../platform/files.ts";
import { secretKeyUnder } from "../../platform/security/secret-key-file.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { createLogger } from "../../platform/telemetry/logger.ts";
import { type Command, UsageError } from "../command.ts";
import type { Installation } from "../installation.ts";
import { type ArchiveEntry, writeArchive } from "./archive.ts";
import { HeldSegments } from "./held-segments.ts";
import { blobEntryPrefix, entryNames, keyProof, type Manifest, manifestFormat } from "./manifest.ts";

/** Rows go into entries of about this size, for an entry's size stands before its bytes. */
const entryBytes = 1024 * 1024;
const numberDigits = 8;
/** Segments that come and go within the moment of a snapshot. */
const maxSnapshots = 5;

export const backup: Command = {
  name: "backup",
  synopsis: "FILE",
  sentence:
    "Writes all that the embedded database holds, and its secret key, as they are at one moment, while mail goes on.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [path = ""] }) {
    const { DATA_DIR: dataDir, SECRET_KEY, SECRET_KEY_PREVIOUS } = embeddedSettings(installation, "backup");
    if (await exists(path)) throw new UsageError(`backup: ${path} is there already`);
    if (!(await hasCluster(dataDir))) throw new UsageError(`backup: there is no database under ${dataDir}`);
    const logger = createLogger(installation.settings());
    const server = await startEmbeddedPostgres({ dataDir, logger, adopt: true });
    try {
      const rowCounts: Record<string, number> = {};
      const secretKey = { text: SECRET_KEY ?? (await secretKeyUnder(dataDir)), isInFile: SECRET_KEY === undefined };
      const services = installation.storedServices();
      const secrets = new Secrets(secretKey.text, SECRET_KEY_PREVIOUS);
      for (const service of services) await checkSecretKeyAt(server.url, service, secrets);
      const schemas = services.map(({ name }) => name);
      const damaged: string[] = [];
      await writeArchive(path, entriesOf({ url: server.url, dataDir, schemas, secretKey, rowCounts, damaged }));
      const rows = Object.values(rowCounts).reduce((sum, count) => sum + count, 0);
      const lines = [
        `Wrote ${rows} rows of ${Object.keys(rowCounts).length} tables to ${path}.`,
        secretKey.isInFile
          ? "It holds mail and the secret key: keep it as you keep those."
          : "It holds mail; SECRET_KEY is not in it: keep that too.",
        ...(damaged.length > 0
          ? [`The bytes of ${damaged.length} messages are damaged and not in it: "reconcile" names their emails.`]
          : []),
      ];
      return { json: { path, rows, tables: rowCounts, damaged }, lines };
    } finally {
      await server.stop();
    }
  },
};

/** @throws UsageError where the data are in a database that its own tools back up */
export function embeddedSettings(installation: Installation, command: string) {
  const settings = installation.settings();
  const own = installation.storedServices().map(({ name }) => `${name.toUpperCase()}_DATABASE_URL`);
  const variable = ["DATABASE_URL", ...own].find((name) => installation.environment[name]);
  if (variable)
    throw new UsageError(
      `${command}: the data are in the PostgreSQL of ${variable}: use its own tools (docs/recovery.md)`,
    );
  return settings;
}

interface KeyEntry {
  readonly text: string;
  readonly isInFile: boolean;
}

interface Source {
  /** Of the server's superuser. */
  readonly url: string;
  readonly dataDir: string;
  readonly schemas: readonly string[];
  readonly secretKey: KeyEntry;
  /** Filled as tables are written. */
  readonly rowCounts: Record<string, number>;
  /** Filled with the ids of blobs whose files lack them. */
  readonly damaged: string[];
}

async function* entriesOf(source: Source): AsyncGenerator<ArchiveEntry, void> {
  const { url, dataDir, schemas, secretKey, rowCounts } = source;
  const segments = new Map(schemas.map((schema) => [schema, new HeldSegments(dataDir, schema)]));
  const snapshot = await snapshotWith(segments, url);
  try {
    const contents: SchemaContent[] = [];
    for (const schema of schemas) contents.push(await snapshot.content(schema));
    const madeAt = new Date().toISOString();
    const proof = keyProof(secretKey.text, madeAt);
    const manifest: Manifest = { format: manifestFormat, madeAt, keyProof: proof, schemas: contents };
    yield { name: entryNames.manifest, bytes: Buffer.from(JSON.stringify(manifest, null, 1)) };
    if (secretKey.isInFile) yield { name: entryNames.secretKey, bytes: Buffer.from(`${secretKey.text}\n`) };
    for (const content of contents) yield* tablesOf(snapshot, content, rowCounts);
    for (const [schema, held] of segments) yield* blobsOf(snapshot, schema, held, source.damaged);
    // The last: an archive without it was cut.
    yield { name: entryNames.rowCounts, bytes: Buffer.from(JSON.stringify(rowCounts)) };
  } finally {
    await snapshot.close();
    for (const held of segments.values()) await held.close();
  }
}

/**
 * A snapshot, and all files that its rows speak of. What is removed after it was there before, and what came before it is there
 * after; a file that was there in between alone is missed, and then another moment is taken. One that is lost is missed at any.
 */
async function snapshotWith(segments: ReadonlyMap<string, HeldSegments>, url: string): Promise<Snapshot> {
  for (let count = 1; ; count += 1) {
    for (const held of segments.values()) await held.hold();
    const snapshot = await Snapshot.open(url);
    try {
      let isComplete = true;
      for (const [schema, held] of segments) {
        const blobs = await snapshot.framedBlobs(schema);
        await held.hold();
        isComplete &&= held.hasAll(blobs);
      }
      if (isComplete || count === maxSnapshots) return snapshot;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
    await snapshot.close();
  }
}

/** The bytes that lay in files, and which `restore` puts into the rows. */
async function* blobsOf(
  snapshot: Snapshot,
  schema: string,
  held: HeldSegments,
  damaged: string[],
): AsyncGenerator<ArchiveEntry, void> {
  for (const blob of await snapshot.framedBlobs(schema)) {
    const bytes = await held.read(blob);
    if (bytes) yield { name: `${blobEntryPrefix}${schema}/${blob.id}`, bytes };
    else damaged.push(blob.id);
  }
}

async function* tablesOf(
  snapshot: Snapshot,
  { name: schema, tables }: SchemaContent,
  rowCounts: Record<string, number>,
): AsyncGenerator<ArchiveEntry, void> {
  for (const table of tables) {
    const name = `${schema}/${table.name}`;
    const { stream, rowCount } = snapshot.rows(schema, table);
    let number = 0;
    for await (const bytes of gathered(stream)) {
      number += 1;
      yield { name: `${name}/${String(number).padStart(numberDigits, "0")}.copy`, bytes };
    }
    rowCounts[name] = rowCount();
  }
}

async function* gathered(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of stream) {
    held.push(Buffer.from(piece));
    sizeBytes += piece.length;
    if (sizeBytes < entryBytes) continue;
    yield Buffer.concat(held);
    held = [];
    sizeBytes = 0;
  }
  if (sizeBytes > 0) yield Buffer.concat(held);
}
