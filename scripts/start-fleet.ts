import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { processEnvironment } from "../services/platform/config.ts";
import { startEmbeddedPostgres } from "../services/platform/db/embedded.ts";
import { messageOf } from "../services/platform/errors.ts";
import { secretKeyUnder } from "../services/platform/security/secrets.ts";
import { createLogger } from "../services/platform/telemetry/logger.ts";
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
  const httpPort = given["HTTP_PORT"] || "8080";
  const started: Started[] = [];
  let isStopping = false;
  const stop = async (exitCode: number) => {
    // Once, however many signals come: npm hands on the one that the terminal has sent to all.
    if (isStopping) return;
    isStopping = true;
    for (const peer of started.splice(0).reverse())
      await peer
        .stop()
        .catch((error: unknown) => say("fleet", `${peer.name} did not stop cleanly: ${messageOf(error)}`));
    process.exit(exitCode);
  };
  process.on("SIGTERM", () => void stop(0));
  process.on("SIGINT", () => void stop(0));
  try {
    await mkdir(dataDir, { recursive: true });
    const environment = {
      ...given,
      DATA_DIR: dataDir,
      HTTP_PORT: httpPort,
      ...(await sharedPeers(given, dataDir, started)),
    };
    const account =
      given["BOOTSTRAP_USER"] || given["BOOTSTRAP_PASSWORD"]
        ? {}
        : { BOOTSTRAP_USER: "you@example.org", BOOTSTRAP_PASSWORD: randomBytes(12).toString("base64url") };
    const fleet = await Fleet.plan({
      environment: { ...environment, ...account },
      onLine: say,
      onUnexpectedEnd: (service, reason) => {
        if (isStopping) return;
        say("fleet", `${service} ended (${reason}); starting it again`);
        setTimeout(() => fleet.service(serviceNamed(service)).start(), restartAfterMs);
      },
    });
    started.push({ name: "services", stop: () => fleet.stop() });
    await fleet.start();
    say(
      "fleet",
      `ready: ${given["PUBLIC_URL"] || `http://127.0.0.1:${httpPort}`}/docs, mail to 127.0.0.1:${given["SMTP_PORT"] || "2525"}`,
    );
    if (account.BOOTSTRAP_USER)
      say("fleet", `account: ${account.BOOTSTRAP_USER}, password ${account.BOOTSTRAP_PASSWORD}`);
  } catch (error) {
    say("fleet", `cannot start: ${messageOf(error)}`);
    await stop(1);
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

/** One line of the fleet's own output, told apart by who says it. */
function say(service: string, line: string): void {
  process.stdout.write(line.startsWith("{") ? `${line}\n` : `${service.padEnd(9)} ${line}\n`);
}

await startFleet();
