import { types } from "node:util";
import { blobsConfig, openBlobStore } from "../blobs/blob-store.ts";
import type { BlobStore } from "../blobs/types.ts";
import { type ConfigDefinition, type ConfigOf, defineConfig, optionalInteger, optionalUrl } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded.ts";
import { isForbidden } from "../db/errors.ts";
import { migrate } from "../db/migrate.ts";
import { provision } from "../db/provision.ts";
import { checkSecretKeyAt, keepKeySignature, type StoredService } from "../db/secret-key-check.ts";
import { SharedDatabaseSession } from "../db/shared-session.ts";
import type { Database } from "../db/types.ts";
import { ConfigurationError, Outage, outageText } from "../errors.ts";
import type { Secrets } from "../security/secrets.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Module } from "./lifecycle.ts";
import type { BackgroundTask } from "./polling-task.ts";
import type { Settings } from "./settings.ts";

/**
 * By default. A connection costs the server 2 to 6 MiB; to the embedded one, on the same machine, statements take less time, so that fewer
 * do, and that memory is this machine's, so that another is opened later: 20 to 40 MiB less under load.
 */
const poolSizes = { embedded: 3, other: 10 };
const poolPatienceMs = { embedded: 250, other: 20 };

const poolConfig = defineConfig({
  DATABASE_POOL_SIZE: optionalInteger({ min: 3, max: 500 })
    .meta({ unset: `${poolSizes.other}; ${poolSizes.embedded} of the embedded server` })
    .describe(
      "Connections to PostgreSQL at most, for each service of a process; it holds one more, to listen and to lock, which on the embedded server is one for all, and opens another to ask a silent server whether it is there",
    ),
});

/** How many connections a service of this configuration has at most. */
export function poolSizeOf(config: Readonly<Record<string, unknown>>, isEmbedded: boolean): number {
  const { DATABASE_POOL_SIZE: given } = config as Partial<ConfigOf<typeof poolConfig>>;
  return given ?? (isEmbedded ? poolSizes.embedded : poolSizes.other);
}

/** Where a service with a database of its own finds it. */
function databaseVariable(service: string): string {
  return `${service.toUpperCase()}_DATABASE_URL`;
}

/** What the stores of these services read from the environment. */
export function storesConfig(services: readonly string[]): ConfigDefinition {
  if (services.length === 0) return {};
  const own = services.map((service) => [
    databaseVariable(service),
    optionalUrl(["postgres", "postgresql"])
      .meta({ unset: "a schema and a role made by way of DATABASE_URL" })
      .describe(`PostgreSQL for ${service}, as the role that owns its schema ${service}`),
  ]);
  return defineConfig({ ...Object.fromEntries(own), ...poolConfig, ...blobsConfig });
}

/** The database and blob store of one service. */
export interface ServiceStore {
  db: Database;
  blobs: BlobStore;
  /** The background tasks of the stores. */
  tasks: readonly BackgroundTask[];
  close(): Promise<void>;
}

interface StoresOptions {
  /** The services of this process that have a schema. */
  services: readonly (StoredService & { readonly keepsBlobs?: boolean })[];
  config: Readonly<Record<string, unknown>>;
  settings: Settings;
  /** The roles' passwords are derived from them. */
  secrets: Secrets;
  logger: Logger;
  /** Use the embedded server that another process runs on this DATA_DIR (the operator's command). */
  adopts: boolean;
}

/** The stores of one process: PostgreSQL, embedded unless there is a URL, and per service a schema under its own role. */
export class Stores {
  readonly #options: StoresOptions;
  #embedded: EmbeddedPostgres | undefined;
  #urls: ReadonlyMap<string, string> = new Map();
  /** For all schemas of the embedded server: they listen and lock without looking at any. */
  #sharedSession: SharedDatabaseSession | undefined;

  constructor(options: StoresOptions) {
    this.#options = options;
  }

  module(): Module {
    return {
      name: "stores",
      needs: [],
      start: () => this.#start(),
      stop: async () => this.#embedded?.stop(),
    };
  }

  /** Brings the schema up to date and opens it. */
  async open(service: string, migrations: URL, logger: Logger): Promise<ServiceStore> {
    const { config, settings, secrets, adopts } = this.#options;
    const ownUrl = this.#ownUrl(service);
    const url = ownUrl ?? this.#urls.get(service);
    if (url === undefined) throw new Error(`${service} has no database`);
    const variable = ownUrl === undefined ? this.#variable : databaseVariable(service);
    await naming(variable, () => migrate({ url, schema: service, migrations, logger }));
    const isEmbedded = ownUrl === undefined && this.#embedded !== undefined;
    const db = openDatabase({
      url,
      schema: service,
      applicationName: `postern ${service}`,
      logger,
      poolSize: poolSizeOf(config, isEmbedded),
      poolPatienceMs: isEmbedded ? poolPatienceMs.embedded : poolPatienceMs.other,
      sharedSession: isEmbedded ? this.#sharedSession : undefined,
    });
    try {
      await keepKeySignature(db, secrets);
    } catch (error) {
      await db.close();
      throw error;
    }
    const { blobs, tasks, close } = await openBlobStore({
      db,
      config: config as ConfigOf<typeof blobsConfig>,
      logger,
      dataDir: isEmbedded ? settings.DATA_DIR : undefined,
      isReader: adopts,
      probesBucket: this.#options.services.find(({ keepsBlobs }) => keepsBlobs)?.name === service,
    });
    return { db, blobs, tasks, close: () => close().finally(() => db.close()) };
  }

  /** Who is at fault where the services' common server is: the embedded one lies under DATA_DIR. */
  get #variable(): string {
    return this.#options.settings.DATABASE_URL ? "DATABASE_URL" : "DATA_DIR";
  }

  #ownUrl(service: string): string | undefined {
    return this.#options.config[databaseVariable(service)] as string | undefined;
  }

  async #start(): Promise<void> {
    const { settings, secrets, logger, adopts } = this.#options;
    // Before anything is written: neither passwords nor keys may follow from a wrong one.
    for (const service of this.#options.services) {
      const url = this.#ownUrl(service.name);
      if (url !== undefined)
        await naming(databaseVariable(service.name), () => checkSecretKeyAt(url, service, secrets));
    }
    const services = this.#options.services.filter(({ name }) => this.#ownUrl(name) === undefined);
    if (services.length === 0) return;
    if (!settings.DATABASE_URL)
      this.#embedded = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, logger, adopt: adopts });
    const adminUrl = settings.DATABASE_URL ?? this.#embedded?.url ?? "";
    this.#urls = await naming(this.#variable, () => provision({ adminUrl, services, secrets, logger }));
    const [url] = this.#urls.values();
    if (this.#embedded && url) this.#sharedSession = new SharedDatabaseSession({ url });
  }
}

/** Says which variable leads to a database that cannot be used. @throws ConfigurationError where waiting changes nothing; Outage */
async function naming<T>(variable: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof Outage)
      throw new Outage("database", { cause: error, operator: `${variable}: ${outageText(error)}` });
    if (isForbidden(error))
      throw new ConfigurationError([`${variable}: its role may not do what is needed there: ${error.message}`]);
    // A file that sslrootcert, sslcert or sslkey names: read before anything is sent.
    if (isUnreadable(error)) throw new ConfigurationError([`${variable}: ${error.message}`]);
    throw error;
  }
}

function isUnreadable(error: unknown): error is NodeJS.ErrnoException {
  return types.isNativeError(error) && (error as NodeJS.ErrnoException).syscall === "open";
}
