import { resolve } from "node:path";
import { type Environment, loadConfig } from "../platform/config.ts";
import { hasCluster } from "../platform/db/embedded/cluster.ts";
import type { Database } from "../platform/db/types.ts";
import { ConfigurationError } from "../platform/errors.ts";
import { inProcessClient } from "../platform/rpc/client.ts";
import type { Client, Contract } from "../platform/rpc/contract.ts";
import { createHost, hostConfig } from "../platform/runtime/host.ts";
import { completeSettings, type Settings, settingsConfig } from "../platform/runtime/settings.ts";
import { Stores } from "../platform/runtime/stores.ts";
import { secretKeyUnder } from "../platform/security/secret-key-file.ts";
import { Secrets } from "../platform/security/secrets.ts";
import type { ServiceDefinition } from "../platform/service.ts";
import { createLogger } from "../platform/telemetry/logger.ts";

/** The database of one service, under its own role. */
interface ServiceDatabase {
  service: string;
  db: Database;
}

/**
 * The installation that the environment describes, as commands reach it: through the services themselves, built here and
 * asked in the process. Beside a running one it shares that one's stores; without one it starts what it needs, and stops
 * it again. What a command does not ask for is not opened.
 */
export class Installation {
  readonly environment: Environment;
  /** Every service there is. */
  readonly services: readonly ServiceDefinition[];
  readonly #closing: (() => Promise<void>)[] = [];

  constructor(services: readonly ServiceDefinition[], environment: Environment) {
    this.services = services;
    // What is printed is the command's answer, and may be read by a program.
    this.environment = { ...environment, LOG_LEVEL: "silent" };
  }

  /** @throws ConfigurationError */
  settings(): Settings {
    return completeSettings(loadConfig(settingsConfig, this.environment));
  }

  /** Whether any of these services keeps its data in the embedded database. */
  isEmbedded(services = this.services): boolean {
    const hasOwn = ({ name }: ServiceDefinition) => Boolean(this.environment[`${name.toUpperCase()}_DATABASE_URL`]);
    return !this.environment["DATABASE_URL"] && services.some((service) => service.migrations && !hasOwn(service));
  }

  /**
   * Whatever opens an embedded database makes it where there is none, as under a mistyped DATA_DIR.
   * @throws ConfigurationError, also where it would be made
   */
  async requireThere(services = this.services): Promise<void> {
    loadConfig(hostConfig(services), this.environment);
    const { DATA_DIR } = this.settings();
    if (this.isEmbedded(services) && !(await hasCluster(DATA_DIR)))
      throw new ConfigurationError([`DATA_DIR: there is no installation under ${resolve(DATA_DIR)}`]);
  }

  /** A service as its peers call it, built for this command alone. @throws ConfigurationError; Outage. */
  async service<C extends Contract>(contract: C): Promise<Client<C>> {
    const name = contract.service;
    const services = this.services.filter((service) => service.name === name);
    await this.requireThere(services);
    const host = await createHost({ services, environment: this.environment, isQuiet: true });
    await host.start();
    this.#closing.push(() => host.stop());
    return inProcessClient(contract, () => host.service(name).serve);
  }

  /** The stores of every service that keeps something; each is opened by `open`. @param makes an embedded database that is not there @throws ConfigurationError; Outage. */
  async stores({ makes = false } = {}): Promise<{ open(service: ServiceDefinition): Promise<Database> }> {
    if (!makes) await this.requireThere();
    const settings = this.settings();
    const logger = createLogger(settings);
    const stores = new Stores({
      services: this.storedServices(),
      config: loadConfig(hostConfig(this.services), this.environment),
      settings,
      secrets: new Secrets(
        settings.SECRET_KEY ?? (await secretKeyUnder(settings.DATA_DIR)),
        settings.SECRET_KEY_PREVIOUS,
      ),
      logger,
      adopts: true,
    });
    const module = stores.module();
    await module.start();
    this.#closing.push(() => module.stop());
    return {
      open: async ({ name, migrations }) => {
        if (!migrations) throw new Error(`${name} keeps nothing`);
        const store = await stores.open(name, migrations, logger);
        this.#closing.push(() => store.close());
        return store.db;
      },
    };
  }

  storedServices(): ServiceDefinition[] {
    return this.services.filter((service) => service.migrations);
  }

  /** The databases of all services. @param makes an embedded database that is not there @throws ConfigurationError; Outage. */
  async databases({ makes = false } = {}): Promise<ServiceDatabase[]> {
    const stores = await this.stores({ makes });
    const databases: ServiceDatabase[] = [];
    for (const service of this.storedServices())
      databases.push({ service: service.name, db: await stores.open(service) });
    return databases;
  }

  /** Closes what was opened, the last first. */
  async close(): Promise<void> {
    for (let close = this.#closing.pop(); close; close = this.#closing.pop()) await close();
  }
}
