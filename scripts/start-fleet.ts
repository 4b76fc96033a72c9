import { join, resolve } from "node:path";
import { Installation } from "../services/admin/installation.ts";
import { authContract } from "../services/auth/contract.ts";
import { firstAccount, noteUntold, requirePublicPorts, shellWord, welcome } from "../services/first-start.ts";
import { processEnvironment } from "../services/platform/config.ts";
import { startEmbeddedPostgres } from "../services/platform/db/embedded.ts";
import { ConfigurationError, exitConfiguration, messageOf } from "../services/platform/errors.ts";
import { makeDataFolder } from "../services/platform/files.ts";
import { loadHostConfig } from "../services/platform/runtime/host.ts";
import { completeSettings } from "../services/platform/runtime/settings.ts";
import { secretKeyUnder } from "../services/platform/security/secret-key-file.ts";
import { createLogger } from "../services/platform/telemetry/logger.ts";
import { loadAllServices } from "../services/targets.ts";
import { Fleet, serviceNamed } from "./fleet/fleet.ts";
import { startKafka } from "./peers/kafka.ts";
import { startRedis } from "./peers/redis.ts";

/** How long a service that ended by itself rests before it is started again. */
const restartAfterMs = 1_000;

/** Something started here, to be stopped again in reverse. */
interface Started {
  name: string;
  stop(): Promise<void>;
}

/**
 * `npm run start:fleet`: every service a process of its own on this machine, over PostgreSQL, Kafka and Redis: those that
 * DATABASE_URL, KAFKA_BROKERS and REDIS_URL name, or else started here.
 */
async function startFleet(): Promise<void> {
  const given = processEnvironment();
  const dataDir = given["DATA_DIR"] || "./data-fleet";
  const started: Started[] = [];
  let isStopping = false;
  const stop = async (exitCode: number, sayLast: () => void = () => undefined) => {
    // Once, however many signals come: npm hands on the one that the terminal has sent to all.
    if (isStopping) return;
    isStopping = true;
    for (const peer of started.splice(0).reverse())
      await peer
        .stop()
        .catch((error: unknown) => say("fleet", `${peer.name} did not stop cleanly: ${messageOf(error)}`));
    sayLast();
    process.exit(exitCode);
  };
  process.on("SIGTERM", () => void stop(0));
  process.on("SIGINT", () => void stop(0));
  try {
    const asked = { ...given, DATA_DIR: dataDir };
    // What can be told of before anything is started.
    const services = await loadAllServices();
    const config = loadHostConfig(services, asked);
    await requirePublicPorts(config);
    await makeDataFolder(dataDir);
    // Before there is anything under DATA_DIR.
    const account = await firstAccount(asked);
    if (account) await noteUntold(dataDir);
    const peers = await sharedPeers(given, dataDir, started);
    const environment = { ...asked, ...peers };
    const fleet = await Fleet.plan({
      environment: { ...environment, ...account },
      onLine: say,
      onUnexpectedEnd: (service, reason) => {
        setTimeout(() => {
          // One that ends before it is ready ends the start.
          if (isStopping) return;
          say("fleet", `${service} ended (${reason}); starting it again`);
          fleet.service(serviceNamed(service)).start();
        }, restartAfterMs);
      },
    });
    started.push({ name: "services", stop: () => fleet.stop() });
    await fleet.start();
    const installation = new Installation(services, environment);
    try {
      const first = account && { account, auth: await installation.service(authContract) };
      await welcome({ settings: completeSettings(config), config }, first);
    } finally {
      await installation.close();
    }
    process.stdout.write(
      `  To operate it:  ${[...startedHere(given, dataDir, peers), "npm run admin -- doctor"].join(" ")}\n\n`,
    );
  } catch (error) {
    // After all that services say while they are stopped.
    await stop(error instanceof ConfigurationError ? exitConfiguration : 1, () => {
      if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
      else say("fleet", `cannot start: ${messageOf(error)}`);
    });
  }
}

/** What every process of the fleet is told of the stores and keys that they share. */
async function sharedPeers(given: NodeJS.ProcessEnv, dataDir: string, started: Started[]): Promise<NodeJS.ProcessEnv> {
  const keep = <T extends { stop(): Promise<void> }>(name: string, peer: T): T => {
    started.push({ name, stop: () => peer.stop() });
    return peer;
  };
  const logger = createLogger({ LOG_LEVEL: "warn", LOG_FORMAT: "text" });
  const secretKey = given["SECRET_KEY"] || (await secretKeyUnder(dataDir));
  const database = given["DATABASE_URL"] || keep("PostgreSQL", await startEmbeddedPostgres({ dataDir, logger })).url;
  const brokers =
    given["KAFKA_BROKERS"] || keep("Kafka", await startKafka({ dataDir: join(dataDir, "kafka") })).brokers;
  const redis = given["REDIS_URL"] || keep("Redis", await startRedis()).url;
  return { SECRET_KEY: secretKey, DATABASE_URL: database, KAFKA_BROKERS: brokers, REDIS_URL: redis };
}

/** What the operator's command has to be told of what was started here; what was given to us, its user gives to it. */
function startedHere(given: NodeJS.ProcessEnv, dataDir: string, peers: NodeJS.ProcessEnv): string[] {
  const stores = ["KAFKA_BROKERS", "REDIS_URL"].filter((name) => !given[name]);
  const values = [["DATA_DIR", resolve(dataDir)] as const, ...stores.map((name) => [name, `${peers[name]}`] as const)];
  return values.map(([name, value]) => `${name}=${shellWord(value)}`);
}

/** One line of the fleet's own output, told apart by who says it. */
function say(service: string, line: string): void {
  process.stdout.write(line.startsWith("{") ? `${line}\n` : `${service.padEnd(9)} ${line}\n`);
}

await startFleet();
