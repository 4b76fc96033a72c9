import { blobSweep, blobsConfig, createBlobStore } from "../blobs/blob-store.ts";
import type { BlobStore } from "../blobs/types.ts";
import { type ConfigDefinition, type ConfigOf, defineConfig, integer, optionalUrl } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded.ts";
import { migrate } from "../db/migrate.ts";
import { provision } from "../db/provision.ts";
import type { Database } from "../db/types.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Module } from "./lifecycle.ts";
import type { BackgroundTask } from "./polling-task.ts";
import type { Settings } from "./settings.ts";

const poolConfig = defineConfig({
  DATABASE_POOL_SIZE: integer(10, { min: 4, max: 500 }).describe(
    "Connections to PostgreSQL at most, for each service of a process; it holds up to three more, to listen and to lock",
  ),
});

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
  services: readonly string[];
  config: Readonly<Record<string, unknown>>;
  settings: Settings;
  /** The roles' passwords are derived from it. */
  secretKey: string;
  logger: Logger;
  /** Use the embedded server that another process runs on this DATA_DIR (the operator's command). */
  adopts: boolean;
}

/** The stores of one process: PostgreSQL, embedded unless there is a URL, and per service a schema under its own role. */
export class Stores {
  readonly #options: StoresOptions;
  #embedded: EmbeddedPostgres | undefined;
  #urls: ReadonlyMap<string, string> = new Map();

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
    const { config } = this.#options;
    const url = this.#ownUrl(service) ?? this.#urls.get(service);
    if (url === undefined) throw new Error(`${service} has no database`);
    await migrate({ url, schema: service, migrations, logger });
    const { DATABASE_POOL_SIZE: poolSize, ...blobsSettings } = config as ConfigOf<
      typeof poolConfig & typeof blobsConfig
    >;
    const db = openDatabase({ url, schema: service, applicationName: `postern ${service}`, logger, poolSize });
    const blobs = createBlobStore({ db, config: blobsSettings, logger });
    return { db, blobs, tasks: [blobSweep(blobs, logger)], close: () => db.close() };
  }

  #ownUrl(service: string): string | undefined {
    return this.#options.config[databaseVariable(service)] as string | undefined;
  }

  async #start(): Promise<void> {
    const { settings, secretKey, logger, adopts } = this.#options;
    const services = this.#options.services.filter((service) => this.#ownUrl(service) === undefined);
    if (services.length === 0) return;
    if (!settings.DATABASE_URL)
      this.#embedded = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, logger, adopt: adopts });
    const adminUrl = settings.DATABASE_URL ?? this.#embedded?.url ?? "";
    this.#urls = await provision({ adminUrl, services, secretKey, logger });
  }
}
