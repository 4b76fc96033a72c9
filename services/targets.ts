import type { Environment } from "./platform/config.ts";
import { ConfigurationError } from "./platform/errors.ts";
import type { ServiceDefinition } from "./platform/service.ts";

/**
 * Every service, loaded only by a process that runs it: the gateway's libraries alone would double what most others hold. What
 * each depends on stands in its own `needs`; platform puts them into order.
 */
const registry: Readonly<Record<string, () => Promise<ServiceDefinition>>> = {
  auth: async () => (await import("./auth/module.ts")).auth,
  bindings: async () => (await import("./bindings/module.ts")).bindings,
  ingress: async () => (await import("./ingress/module.ts")).ingress,
  mailbox: async () => (await import("./mailbox/module.ts")).mailbox,
  forwarder: async () => (await import("./forwarder/module.ts")).forwarder,
  webhook: async () => (await import("./webhook/module.ts")).webhook,
  rest: async () => (await import("./rest/module.ts")).rest,
  gateway: async () => (await import("../gateway/module.ts")).gateway,
};

const allNames = Object.keys(registry);

/** What one process runs. */
interface Targets {
  /** What traces and the log call the process. */
  name: string;
  services: readonly ServiceDefinition[];
  /** The rest of the installation runs in other processes. */
  isPart: boolean;
}

/** Every service of an installation. */
export function loadAllServices(): Promise<readonly ServiceDefinition[]> {
  return load(allNames);
}

/**
 * The services that a `--target` names: `all`, or one or more names separated by commas.
 * @throws ConfigurationError for a name that is none, or where several processes lack what they must share.
 */
export async function loadTargets(target: string, environment: Environment): Promise<Targets> {
  const named = target === "all" ? allNames : target.split(",").map((name) => name.trim());
  const unknown = named.filter((name) => !allNames.includes(name));
  if (unknown.length > 0)
    throw new ConfigurationError([`--target: ${unknown.join(", ")} is none of all, ${allNames.join(", ")}`]);
  const names = allNames.filter((name) => named.includes(name));
  const services = await load(names);
  const isPart = names.length < allNames.length;
  if (isPart) requireShared(services, environment);
  return { name: isPart ? `postern-${names.join(",")}` : "postern", services, isPart };
}

function load(names: readonly string[]): Promise<ServiceDefinition[]> {
  return Promise.all(Object.entries(registry).flatMap(([name, load]) => (names.includes(name) ? [load()] : [])));
}

/** Processes that share the work must share their stores, their bus and their keys: no embedded default can stand in. */
function requireShared(services: readonly ServiceDefinition[], environment: Environment): void {
  const isStored = services.some((service) => service.migrations);
  const hasOwnDatabases = services.every(
    (service) => !service.migrations || environment[`${service.name.toUpperCase()}_DATABASE_URL`],
  );
  const needed = [
    { name: "SECRET_KEY", isNeeded: true, expected: "one key, the same for every process" },
    {
      name: "DATABASE_URL",
      isNeeded: isStored && !hasOwnDatabases,
      expected: "a PostgreSQL that every process reaches",
    },
    { name: "KAFKA_BROKERS", isNeeded: isStored, expected: "the brokers that carry events between processes" },
  ];
  const faults = needed.filter(({ name, isNeeded }) => isNeeded && !environment[name]);
  if (faults.length > 0)
    throw new ConfigurationError(
      faults.map(
        ({ name, expected }) => `${name}: is not set; a process with a part of the services needs ${expected}`,
      ),
    );
}
