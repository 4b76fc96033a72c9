import pg from "pg";
import { ConfigurationError } from "../errors.ts";
import { Sealer } from "../security/sealing.ts";
import type { Secrets } from "../security/secrets.ts";
import { closeClient, newClient } from "./connection.ts";
import { rowsOf } from "./driver-query.ts";
import { translateError } from "./errors.ts";
import type { Database } from "./types.ts";

/** A service that has a schema, and where secrets lie sealed in it, if any. */
export interface StoredService {
  readonly name: string;
  /** A table with a column "sealed", and the purpose that its Sealer has: by these a key is known where no signature is kept yet. */
  readonly sealed?: { readonly table: string; readonly purpose: string } | undefined;
}

/** Of the signatures in known_key: SECRET_KEY signs the schema's name. */
const purpose = "known key";

/** "empty" where nothing was made yet; "undetermined" in data of a release that kept no signature, or where they may not be read. */
type KeyCheck = "empty" | "right" | "undetermined";

/**
 * Whether a schema was made with this SECRET_KEY, or with the previous one. It only reads: what follows from a wrong key, such as the
 * passwords of roles, must not take the place of what is right.
 * @throws ConfigurationError if it was made with another
 */
export async function checkSecretKey(client: pg.Client, service: StoredService, secrets: Secrets): Promise<KeyCheck> {
  const { name: schema, sealed } = service;
  const tables = await readableTables(client, schema);
  if (!tables.has("schema_migration")) return "empty";
  if (tables.get("known_key")) {
    const rows = await rowsOf<{ signature: string }>(client, `select signature from ${qualified(schema, "known_key")}`);
    if (rows.length > 0) return requireKnown(schema, isKnown(rows, schema, secrets));
  }
  if (!sealed || !tables.get(sealed.table)) return "undetermined";
  const sealer = new Sealer(secrets, sealed.purpose);
  const rows = await rowsOf<{ sealed: Buffer }>(client, `select sealed from ${qualified(schema, sealed.table)}`);
  if (rows.length === 0) return "undetermined";
  // One key that opens is enough: a start with a wrong one may have left another there.
  return requireKnown(
    schema,
    rows.some((row) => sealer.canOpen(row.sealed)),
  );
}

/** checkSecretKey for a service that has a database of its own. @throws ConfigurationError; Outage */
export async function checkSecretKeyAt(url: string, service: StoredService, secrets: Secrets): Promise<void> {
  const client = newClient({ url, applicationName: "postern key check" });
  // An error on the connection also fails its queries.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await checkSecretKey(client, service, secrets);
  } catch (error) {
    throw translateError(error);
  } finally {
    await closeClient(client);
  }
}

/**
 * Keeps the signature of SECRET_KEY for later starts. Those of former keys stay as long as SECRET_KEY_PREVIOUS is set: until then
 * a process of a fleet may start for which the former key is the current one.
 * @throws ConfigurationError if the schema was made with another key
 */
export async function keepKeySignature(db: Database, secrets: Secrets): Promise<void> {
  const { schema } = db;
  const { rows } = await db.query<{ signature: string }>("select signature from known_key");
  if (rows.length > 0) requireKnown(schema, isKnown(rows, schema, secrets));
  const signature = secrets.sign(purpose, schema);
  if (!rows.some((row) => row.signature === signature))
    await db.query("insert into known_key (signature) values ($1) on conflict do nothing", [signature]);
  if (!secrets.hasPrevious && rows.length > 0)
    await db.query("delete from known_key where signature <> $1", [signature]);
}

/** What is said of a key that is not the one of a schema. */
export function unknownKey(schema: string): ConfigurationError {
  return new ConfigurationError([
    `SECRET_KEY: is not the one that the data of ${schema} were made with: set that one, or name it in SECRET_KEY_PREVIOUS (where neither is set, it is in DATA_DIR/secret-key)`,
  ]);
}

function requireKnown(schema: string, isRight: boolean): "right" {
  if (!isRight) throw unknownKey(schema);
  return "right";
}

function isKnown(rows: readonly { signature: string }[], schema: string, secrets: Secrets): boolean {
  return rows.some(({ signature }) => secrets.verify(purpose, schema, signature));
}

/** The tables of a schema, and whether this role may read each. */
async function readableTables(client: pg.Client, schema: string): Promise<ReadonlyMap<string, boolean>> {
  const rows = await rowsOf<{ name: string; isReadable: boolean }>(
    client,
    `select relname as name,
            has_schema_privilege(pg_namespace.oid, 'usage') and has_table_privilege(pg_class.oid, 'select') as is_readable
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = $1 and relkind = 'r'`,
    [schema],
  );
  return new Map(rows.map(({ name, isReadable }) => [name, isReadable]));
}

function qualified(schema: string, table: string): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
}
