import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AddressOf, Fleet, type FleetService } from "../../../scripts/fleet/fleet.ts";
import { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { startEmbeddedPostgres } from "../../../services/platform/db/embedded.ts";
import { type RestClient, restClient } from "../http/rest-client.ts";
import { type CapturedMail, capturedMail } from "../mail/captured-mail.ts";
import { emptyDatabase, silentLogger } from "../peers/database.ts";
import { testKafka } from "../peers/kafka.ts";
import { testRedis } from "../peers/redis.ts";

type TestMode = "single" | "fleet";

/** One process on its embedded defaults, PostgreSQL apart, or every service a process over Kafka, PostgreSQL and Redis. */
export const testMode: TestMode = process.env["POSTERN_TEST_MODE"] === "fleet" ? "fleet" : "single";

/** An installation as its users meet it: real processes, reached over HTTP and SMTP alone. */
export interface Installation {
  readonly mode: TestMode;
  readonly url: string;
  readonly smtpPort: number;
  readonly dataDir: string;
  /** What its processes were told, as the operator's command is to be told too. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The bootstrap account. */
  readonly account: { username: string; password: string };
  /** Its processes by service; in one process they are all the same one. */
  process(service: FleetService): ServiceProcess;
  processes(): readonly ServiceProcess[];
  /** Starts what was stopped or killed, and waits until it is ready. */
  revive(): Promise<void>;
  /** Of a superuser of its PostgreSQL, while that runs. */
  databaseUrl(): Promise<string>;
  /** Everything that was printed so far, for when a test has to show why. */
  output(): string;
  /** A REST client that has signed in. */
  rest(): Promise<RestClient>;
  /** The captured mail that left so far. */
  outbound(): Promise<CapturedMail[]>;
  dispose(): Promise<void>;
}

export interface InstallationOptions {
  environment?: Readonly<Record<string, string>>;
  mode?: TestMode;
  /** One process starts a PostgreSQL of its own, as it does where nobody names one; else it has a database of the jest run's, which costs less. */
  hasOwnPostgres?: boolean;
  /** Where the services of a fleet reach each other, as Fleet has it. */
  addressOf?: AddressOf | undefined;
  /** Services of a fleet that share a process, as Fleet has it. */
  group?: readonly FleetService[] | undefined;
  /** Gets each line that its processes print, besides `output`. */
  onLine?(line: string): void;
}

const account = { username: "owner@example.org", password: "a test account's password" };

/** Starts an installation of its own in the mode that this run is for, and waits until it is ready. */
export async function startInstallation({
  environment = {},
  mode = testMode,
  hasOwnPostgres = false,
  addressOf,
  group,
  onLine,
}: InstallationOptions = {}): Promise<Installation> {
  const dataDir = environment["DATA_DIR"] ?? (await mkdtemp(join(tmpdir(), "postern-installation-")));
  const [freePort = 0, smtpPort = 0] = await freePorts(2);
  const httpPort = Number(environment["HTTP_PORT"] ?? freePort);
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    onLine?.(line);
  };
  const shared = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    HTTP_PORT: String(httpPort),
    SMTP_PORT: String(smtpPort),
    DATA_DIR: dataDir,
    BOOTSTRAP_USER: account.username,
    BOOTSTRAP_PASSWORD: account.password,
    LOG_LEVEL: "info",
    ...environment,
  };
  const url = `http://127.0.0.1:${httpPort}`;
  const running =
    mode === "fleet"
      ? await fleetOf(shared, keep, { addressOf, group })
      : await singleOf(shared, url, keep, hasOwnPostgres);
  try {
    await running.start();
  } catch (error) {
    const said = lines.slice(-60).join("\n");
    // Its stores may be what failed: that it cannot be cleared away must not hide why it did not start.
    const [cleared] = await Promise.allSettled([running.dispose()]);
    const left = cleared.status === "rejected" ? `\nNor can it be cleared away: ${cleared.reason}` : "";
    throw new Error(`The installation does not start: ${error}\n${said}${left}`);
  }
  return {
    mode,
    url,
    smtpPort,
    dataDir,
    environment: running.environment,
    account,
    process: running.process,
    processes: running.processes,
    revive: async () => {
      const ended = running.processes().filter((each) => !each.isRunning);
      for (const each of ended) each.start();
      await Promise.all(running.processes().map((each) => each.ready()));
    },
    databaseUrl: async () => running.environment["DATABASE_URL"] ?? (await embeddedUrl(dataDir)),
    output: () => lines.join("\n"),
    rest: () => restClient(url, account),
    outbound: () => capturedMail(join(dataDir, "outbound")),
    dispose: async () => {
      await running.dispose();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Keep = (line: string) => void;

/** Beside the process that runs it. */
async function embeddedUrl(dataDir: string): Promise<string> {
  return (await startEmbeddedPostgres({ dataDir, logger: silentLogger, adopt: true })).url;
}

interface Running {
  environment: NodeJS.ProcessEnv;
  start(): Promise<void>;
  process(service: FleetService): ServiceProcess;
  processes(): readonly ServiceProcess[];
  dispose(): Promise<void>;
}

async function singleOf(
  given: NodeJS.ProcessEnv,
  healthUrl: string,
  onLine: Keep,
  hasOwnPostgres: boolean,
): Promise<Running> {
  const database = hasOwnPostgres || given["DATABASE_URL"] ? undefined : await emptyDatabase();
  const environment = { ...given, ...(database ? { DATABASE_URL: database.url } : {}) };
  const all = new ServiceProcess({ target: "all", environment, healthUrl, onLine });
  return {
    environment,
    start: async () => {
      all.start();
      await all.ready();
    },
    process: () => all,
    processes: () => [all],
    dispose: async () => {
      await all.stop();
      await database?.dispose();
    },
  };
}

async function fleetOf(
  given: NodeJS.ProcessEnv,
  keep: Keep,
  { addressOf, group }: Pick<InstallationOptions, "addressOf" | "group">,
): Promise<Running> {
  const peers = await fleetPeers(given);
  const environment = {
    KAFKA_TOPIC_PREFIX: `test-${Date.now()}-${process.pid}-`,
    KAFKA_PARTITIONS: "3",
    SECRET_KEY: "a secret of 32 characters for tests only",
    ...peers.environment,
    ...given,
  };
  const fleet = await Fleet.plan({
    environment,
    onLine: (service, line) => keep(`${service}: ${line}`),
    ...(addressOf ? { addressOf } : {}),
    ...(group ? { group } : {}),
  });
  return {
    environment,
    start: () => fleet.start(),
    process: (service) => fleet.service(service),
    processes: () => fleet.processes(),
    dispose: async () => {
      await fleet.stop();
      await peers.dispose();
    },
  };
}

/** Those stores that the test does not bring itself. */
async function fleetPeers(given: NodeJS.ProcessEnv) {
  const [database, brokers, redis] = await Promise.all([
    given["DATABASE_URL"] ? undefined : emptyDatabase(),
    given["KAFKA_BROKERS"] ? undefined : testKafka(),
    given["REDIS_URL"] ? undefined : testRedis(),
  ]);
  return {
    environment: {
      ...(database ? { DATABASE_URL: database.url } : {}),
      ...(brokers ? { KAFKA_BROKERS: brokers } : {}),
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    dispose: async () => {
      await Promise.all([database?.dispose(), redis?.dispose()]);
    },
  };
}
