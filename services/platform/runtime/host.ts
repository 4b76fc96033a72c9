import { blobsCheck } from "../blobs/blob-store.ts";
import type { ConfigDefinition, ConfigOf, Environment } from "../config.ts";
import { loadConfig } from "../config.ts";
import { createEventBus } from "../events/bus.ts";
import { type EventsConfig, eventsCheck, eventsConfig } from "../events/config.ts";
import type { EventBus } from "../events/types.ts";
import { internalListener, publicListener } from "../http/listeners.ts";
import { type LocalService, Peers, peersConfig } from "../rpc/peers.ts";
import { ServiceTokens } from "../rpc/service-tokens.ts";
import { internalTlsConfig, loadInternalTls } from "../security/internal-tls.ts";
import { createLimits, type Limits } from "../security/rate-limits.ts";
import { secretKeyUnder } from "../security/secret-key-file.ts";
import { Secrets } from "../security/secrets.ts";
import type { ServiceDefinition } from "../service.ts";
import { telemetryConfig } from "../telemetry/config.ts";
import { createLogger, type Logger } from "../telemetry/logger.ts";
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import { Lifecycle, type Module, type Readiness, type Waiting } from "./lifecycle.ts";
import { ServiceUnit } from "./service-unit.ts";
import { completeSettings, type Settings, settingsConfig } from "./settings.ts";
import { Stores, storesConfig } from "./stores.ts";

/** The services of one process, running. */
export interface Host {
  readonly settings: Settings;
  /** All variables of its services, as read. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What keeps the process from being ready; empty when it is. */
  waiting(): Promise<Waiting[]>;
  /** A service of this process as others reach it. */
  service(name: string): LocalService;
}

interface HostOptions {
  services: readonly ServiceDefinition[];
  environment: Environment;
  /** The rest of the installation runs in other processes: listen for them. */
  isPart?: boolean;
  /** Only what is needed to answer calls: no consumers, no background tasks, no listeners (the operator's command). */
  isQuiet?: boolean;
}

/** Every variable that a process with these services reads. */
export function hostConfig(services: readonly ServiceDefinition[]): ConfigDefinition {
  const names = new Set(services.map((service) => service.name));
  const needed = new Set(
    services.flatMap((service) => Object.values(service.needs).map((contract) => contract.service)),
  );
  const remote = [...needed].filter((name) => !names.has(name));
  const withStores = storedNames(services);
  return Object.assign(
    {},
    settingsConfig,
    storesConfig(withStores),
    withStores.length > 0 ? eventsConfig : {},
    peersConfig(remote),
    internalTlsConfig,
    telemetryConfig,
    ...services.map((service) => service.config),
  );
}

/** The variables that a process with these services reads, checked. @throws ConfigurationError listing all that is wrong with them */
export function loadHostConfig(services: readonly ServiceDefinition[], environment: Environment) {
  const checks = [blobsCheck, eventsCheck, ...services.flatMap((service) => service.configChecks ?? [])];
  return loadConfig(hostConfig(services), environment, checks) as ConfigOf<
    typeof settingsConfig & typeof internalTlsConfig
  > &
    Record<string, unknown>;
}

/**
 * Puts services into one process: their modules, in the order of their needs.
 * Stores and bus first, then the services themselves, then what they do by themselves, then what takes connections.
 * @throws ConfigurationError listing all that is wrong with the environment.
 */
export async function createHost({
  services,
  environment,
  isPart = false,
  isQuiet = false,
}: HostOptions): Promise<Host> {
  const config = loadHostConfig(services, environment);
  const settings = completeSettings(config);
  const logger = createLogger(settings);
  const metrics = createMetrics();
  const secretKey = settings.SECRET_KEY ?? (await secretKeyUnder(settings.DATA_DIR));
  const secrets = new Secrets(secretKey, settings.SECRET_KEY_PREVIOUS);
  const limits = await createLimits(settings.REDIS_URL, logger);
  const tokens = new ServiceTokens(secrets, { acceptsFormer: settings.RPC_TOKENS_OF_0_1 });
  const tls = await loadInternalTls(config);
  const local = new Map<string, LocalService>();
  const localNames = new Set(services.map((service) => service.name));
  const peers = new Peers({
    local,
    localNames,
    urls: config,
    secrets,
    tokens,
    metrics,
    logger,
    timeoutMs: settings.RPC_TIMEOUT_MS,
    tls,
  });
  const stores = new Stores({ services: stored(services), config, settings, secrets, logger, adopts: isQuiet });
  const hasEvents = !isQuiet && storedNames(services).length > 0;
  const bus = hasEvents ? await createEventBus(config as unknown as EventsConfig, logger) : undefined;
  const units = services.map(
    (definition) =>
      new ServiceUnit({
        definition,
        config,
        settings,
        isPart,
        secrets,
        limits,
        logger,
        metrics,
        peers,
        stores,
        bus,
        local,
      }),
  );

  let lifecycle: Lifecycle;
  const readiness: Readiness = {
    waiting: () => lifecycle.waiting(),
    waitingToServe: () => lifecycle.waitingToServe(),
  };
  const modules: Module[] = [limitsModule(limits), stores.module(), ...units.flatMap((unit) => unit.coreModules())];
  if (!isQuiet) {
    if (tls) modules.push(tls.module(logger));
    modules.push(busModule(bus, units), ...units.flatMap((unit) => unit.activeModules()));
    // One process with all services has no peers: it listens there for readers of its metrics, if that is configured.
    if (isPart || isSet(environment["INTERNAL_PORT"]))
      modules.push(internalListener({ units, settings, secrets, tokens, tls, readiness, metrics, logger }));
    modules.push(...publicListener({ units, settings, readiness, metrics, logger }));
  }
  lifecycle = new Lifecycle(modules, logger);
  return {
    settings,
    config,
    logger,
    metrics,
    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
    waiting: readiness.waiting,
    service(name) {
      const found = local.get(name);
      if (!found) throw new Error(`${name} does not run in this process`);
      return found;
    },
  };
}

function stored(services: readonly ServiceDefinition[]): ServiceDefinition[] {
  return services.filter((service) => service.migrations);
}

function storedNames(services: readonly ServiceDefinition[]): string[] {
  return stored(services).map((service) => service.name);
}

/** Carries nothing before every service of the process was added to it. */
function busModule(bus: EventBus | undefined, units: readonly ServiceUnit[]): Module {
  return {
    name: "bus",
    needs: units.map((unit) => unit.definition.name),
    start: async () => bus?.start(),
    stop: async () => bus?.stop(),
  };
}

function limitsModule(limits: Limits): Module {
  return { name: "limits", needs: [], start: async () => undefined, stop: () => limits.close() };
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== "";
}
