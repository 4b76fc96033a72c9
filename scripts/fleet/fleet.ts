import { freePorts } from "../peers/free-ports.ts";
import { ServiceProcess } from "./service-process.ts";

/** Services in the order in which they are started; the gateway last, so that it is ready when all are. */
const fleetServices = ["auth", "bindings", "mailbox", "forwarder", "webhook", "ingress", "rest", "gateway"] as const;
export type FleetService = (typeof fleetServices)[number];

/** @throws Error where there is no such service */
export function serviceNamed(name: string): FleetService {
  const service = fleetServices.find((each) => each === name);
  if (!service) throw new Error(`${name} is no service`);
  return service;
}

interface FleetOptions {
  /** What all processes are told alike: DATABASE_URL, KAFKA_BROKERS, REDIS_URL, SECRET_KEY, HTTP_PORT, SMTP_PORT … */
  environment: NodeJS.ProcessEnv;
  /** Gets each line that a process prints, and what it runs. */
  onLine(target: string, line: string): void;
  onUnexpectedEnd?(target: string, reason: string): void;
  /** Where peers reach a service that listens on a port of this machine; straight there unless given. */
  addressOf?: AddressOf;
  /** Services that share a process, as a group of the chart; each other service has its own. */
  group?: readonly FleetService[];
}

export type AddressOf = (service: FleetService, port: number) => Promise<string>;

const loopback: AddressOf = async (_service, port) => `http://127.0.0.1:${port}`;

/** Every service a process of its own on this machine, or in that of its group, told where the others are. */
export class Fleet {
  readonly #processes: readonly ServiceProcess[];

  private constructor(processes: readonly ServiceProcess[]) {
    this.#processes = processes;
  }

  static async plan({
    environment,
    onLine,
    onUnexpectedEnd,
    addressOf = loopback,
    group = [],
  }: FleetOptions): Promise<Fleet> {
    const targetOf = (service: FleetService) => (group.includes(service) ? group.join(",") : service);
    const targets = [...new Set(fleetServices.map(targetOf))];
    const ports = await freePorts(targets.length);
    const portOf = (target: string) => ports[targets.indexOf(target)] ?? 0;
    const addresses = await Promise.all(fleetServices.map((service) => addressOf(service, portOf(targetOf(service)))));
    const urls = Object.fromEntries(
      fleetServices.map((service, index) => [`${service.toUpperCase()}_URL`, addresses[index]]),
    );
    const processes = targets.map(
      (target) =>
        new ServiceProcess({
          target,
          environment: { ...environment, ...urls, INTERNAL_PORT: String(portOf(target)) },
          healthUrl: `http://127.0.0.1:${portOf(target)}`,
          onLine: (line) => onLine(target, line),
          ...(onUnexpectedEnd ? { onUnexpectedEnd } : {}),
        }),
    );
    return new Fleet(processes);
  }

  /** Starts all, the gateway once the others are ready. */
  async start(): Promise<void> {
    const { gateway, others } = this.#parts();
    for (const process of others) process.start();
    await Promise.all(others.map((process) => process.ready()));
    gateway.start();
    await gateway.ready();
  }

  /** The process that runs a service. */
  service(name: FleetService): ServiceProcess {
    const process = this.#processes.find(({ options }) => options.target.split(",").includes(name));
    if (!process) throw new Error(`no process runs ${name}`);
    return process;
  }

  processes(): readonly ServiceProcess[] {
    return this.#processes;
  }

  /** The gateway first, then everybody at once. */
  async stop(): Promise<void> {
    const { gateway, others } = this.#parts();
    await gateway.stop();
    await Promise.all(others.map((process) => process.stop()));
  }

  #parts() {
    const gateway = this.service("gateway");
    return { gateway, others: this.#processes.filter((process) => process !== gateway) };
  }
}
