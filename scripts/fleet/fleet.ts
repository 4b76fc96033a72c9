import { freePorts } from "../peers/free-ports.ts";
import { ServiceProcess } from "./service-process.ts";

/** Services in the order in which they are started; the front door last, so that it is ready when all are. */
const fleetServices = ["auth", "bindings", "mailbox", "forwarder", "webhook", "ingress", "rest", "gateway"] as const;
export type FleetService = (typeof fleetServices)[number];

interface FleetOptions {
  /** What all processes are told alike: DATABASE_URL, KAFKA_BROKERS, REDIS_URL, SECRET_KEY, HTTP_PORT, SMTP_PORT … */
  environment: NodeJS.ProcessEnv;
  /** Gets each line that a service prints. */
  onLine(service: string, line: string): void;
  onUnexpectedEnd?(service: string, reason: string): void;
  /** Where peers reach a service that listens on a port of this machine; straight there unless given. */
  addressOf?: AddressOf;
}

export type AddressOf = (service: FleetService, port: number) => Promise<string>;

const straight: AddressOf = async (_service, port) => `http://127.0.0.1:${port}`;

/** Every service a process of its own on this machine, told where the others are. */
export class Fleet {
  readonly #processes: ReadonlyMap<string, ServiceProcess>;

  private constructor(processes: ReadonlyMap<string, ServiceProcess>) {
    this.#processes = processes;
  }

  static async plan({ environment, onLine, onUnexpectedEnd, addressOf = straight }: FleetOptions): Promise<Fleet> {
    const ports = await freePorts(fleetServices.length);
    const addresses = await Promise.all(fleetServices.map((service, index) => addressOf(service, ports[index] ?? 0)));
    const urls = Object.fromEntries(
      fleetServices.map((service, index) => [`${service.toUpperCase()}_URL`, addresses[index]]),
    );
    const processes = fleetServices.map((service, index) => {
      const port = ports[index];
      const process = new ServiceProcess({
        target: service,
        environment: { ...environment, ...urls, INTERNAL_PORT: String(port) },
        healthUrl: `http://127.0.0.1:${port}`,
        onLine: (line) => onLine(service, line),
        ...(onUnexpectedEnd ? { onUnexpectedEnd } : {}),
      });
      return [service, process] as const;
    });
    return new Fleet(new Map(processes));
  }

  /** Starts all, the front door once the others are ready. */
  async start(): Promise<void> {
    const processes = [...this.#processes.values()];
    const behind = processes.slice(0, -1);
    for (const process of behind) process.start();
    await Promise.all(behind.map((process) => process.ready()));
    const door = this.service("gateway");
    door.start();
    await door.ready();
  }

  service(name: FleetService): ServiceProcess {
    const process = this.#processes.get(name);
    if (!process) throw new Error(`${name} is no service`);
    return process;
  }

  processes(): readonly ServiceProcess[] {
    return [...this.#processes.values()];
  }

  /** The front door first, then everybody at once. */
  async stop(): Promise<void> {
    const [door, ...behind] = [...this.#processes.values()].reverse();
    await door?.stop();
    await Promise.all(behind.map((process) => process.stop()));
  }
}
