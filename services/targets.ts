import { gateway } from "../gateway/module.ts";
import { auth } from "./auth/module.ts";
import { bindings } from "./bindings/module.ts";
import { forwarder } from "./forwarder/module.ts";
import { ingress } from "./ingress/module.ts";
import { mailbox } from "./mailbox/module.ts";
import type { Environment } from "./platform/config.ts";
import { ConfigurationError } from "./platform/errors.ts";
import type { ServiceDefinition } from "./platform/service.ts";
import { rest } from "./rest/module.ts";
import { webhook } from "./webhook/module.ts";

/** Every service. What each depends on stands in its own `needs`; platform puts them into order. */
const registry: readonly ServiceDefinition[] = [auth, bindings, ingress, mailbox, forwarder, webhook, rest, gateway];

const targetNames = registry.map((service) => service.name);

export interface Targets {
  services: readonly ServiceDefinition[];
  /** The rest of the installation runs in other processes. */
  isPart: boolean;
}

/**
 * The services that a `--target` names: `all`, or one or more names separated by commas.
 * @throws ConfigurationError for a name that is none, or where several processes lack what they must share.
 */
export function servicesOf(target: string, environment: Environment): Targets {
  const names = target === "all" ? targetNames : target.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !targetNames.includes(name));
  if (unknown.length > 0)
    throw new ConfigurationError([`--target: ${unknown.join(", ")} is none of all, ${targetNames.join(", ")}`]);
  const services = registry.filter((service) => names.includes(service.name));
  const isPart = services.length < registry.length;
  if (isPart) requireShared(services, environment);
  return { services, isPart };
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
