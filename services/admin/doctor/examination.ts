import { statfs } from "node:fs/promises";
import { allTopics } from "../../../proto/topics.ts";
import { loadConfig } from "../../platform/config.ts";
import type { Database } from "../../platform/db/types.ts";
import { ConfigurationError } from "../../platform/errors.ts";
import { eventsConfig } from "../../platform/events/config.ts";
import { KafkaClient } from "../../platform/events/kafka/client.ts";
import { makeFolder } from "../../platform/files.ts";
import { hostConfig } from "../../platform/runtime/host.ts";
import { poolSizeOf } from "../../platform/runtime/stores.ts";
import { createLimits } from "../../platform/security/rate-limits.ts";
import { createLogger } from "../../platform/telemetry/logger.ts";
import type { Installation } from "../installation.ts";
import { examineCertificate, examineInternalCertificate } from "./certificate.ts";
import { type CheckResult, check, forOperator } from "./check.ts";
import { examineDns } from "./dns.ts";
import { examineSegments } from "./segments.ts";

/** Beyond it, links expire early and signatures look as if they came from another time. */
const clockToleranceS = 5;

/** Free space under DATA_DIR below which it is time to act: a tenth of the disk, on a large one this much. */
const enoughFreeBytes = 1024 ** 3;

const serverCheck = "database server";

/** What a service holds beside its pool: a connection to listen and one to lock. */
const besidePool = 3;

/** Looks at everything that the installation stands on; one fault does not hide the next. */
export async function examine(installation: Installation): Promise<CheckResult[]> {
  const configuration = await examineConfiguration(installation);
  // Nothing else can be looked for with a configuration that cannot be read, or where there is no installation.
  if (configuration.some((result) => !result.isGood)) return configuration;
  const disk = await examineDisk(installation);
  const databases = await examineDatabases(installation);
  const hasServer = databases.every(({ check, isGood }) => isGood || check !== serverCheck);
  return [
    ...configuration,
    disk,
    ...databases,
    // It would wait for the server once more, to say no more than that.
    ...(hasServer ? await examineSegments(installation) : []),
    await examineBus(installation),
    await examineCounters(installation),
    await examineCertificate(installation),
    await examineInternalCertificate(installation),
    ...(await examineDns(installation)),
  ];
}

async function examineConfiguration(installation: Installation): Promise<CheckResult[]> {
  try {
    await installation.requireThere();
    return [{ check: "configuration", isGood: true, detail: "every variable can be read" }];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map((fault) => ({ check: "configuration", isGood: false, detail: fault }));
  }
}

/** Where the embedded database is, and captured mail. */
function examineDisk(installation: Installation): Promise<CheckResult> {
  return check("disk", async () => {
    const { DATA_DIR } = installation.settings();
    await makeFolder(DATA_DIR);
    const { bavail, blocks, bsize } = await statfs(DATA_DIR);
    const detail = `${Math.floor((bavail * bsize) / 1024 ** 2)} MiB of ${Math.floor((blocks * bsize) / 1024 ** 2)} are free under DATA_DIR`;
    if (bavail * bsize < Math.min(enoughFreeBytes, (blocks * bsize) / 10)) throw new Error(`${detail}: make room`);
    return detail;
  });
}

async function examineDatabases(installation: Installation): Promise<CheckResult[]> {
  const { DATABASE_URL } = installation.settings();
  const { services, environment } = installation;
  const poolSize = poolSizeOf(loadConfig(hostConfig(services), environment), DATABASE_URL === undefined);
  const server = {
    check: serverCheck,
    detail: DATABASE_URL ? "the one of DATABASE_URL" : "the embedded one, under DATA_DIR",
  };
  let stores: Awaited<ReturnType<Installation["stores"]>>;
  try {
    stores = await installation.stores();
  } catch (error) {
    return [{ ...server, isGood: false, detail: `${server.detail}: ${forOperator(error)}` }];
  }
  const results: CheckResult[] = [{ ...server, isGood: true }];
  for (const service of installation.storedServices()) {
    const opened = stores.open(service);
    // The first that answers speaks for the server.
    if (results.length === 1) {
      results.push(await check("clock", async () => aboutClock(await opened)));
      results.push(await check("connections", async () => aboutConnections(await opened, poolSize)));
    }
    results.push(await check(`database of ${service.name}`, async () => aboutRole(await opened)));
  }
  return results;
}

async function aboutClock(db: Database): Promise<string> {
  const askedAt = Date.now();
  const { rows } = await db.query<{ now: Date }>("select clock_timestamp() as now");
  const middle = (askedAt + Date.now()) / 2;
  const apartS = Math.abs((rows[0]?.now.getTime() ?? 0) - middle) / 1_000;
  const detail = `${apartS.toFixed(1)} s apart from the database server's`;
  if (apartS > clockToleranceS) throw new Error(detail);
  return detail;
}

/** Whether one process more would find room, such as the new one of a rollout. */
async function aboutConnections(db: Database, poolSize: number): Promise<string> {
  const { rows } = await db.query<{ allowed: number; used: number }>(
    `select current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int as allowed,
            (select sum(numbackends)::int from pg_stat_database) as used`,
  );
  const [{ allowed, used } = { allowed: 0, used: 0 }] = rows;
  const detail = `${used} of the database server's ${allowed} are taken`;
  if (allowed - used < poolSize + besidePool)
    throw new Error(`${detail}: raise max_connections, or lower DATABASE_POOL_SIZE`);
  return detail;
}

/** A service's role may use its own schema and no other. */
async function aboutRole(db: Database): Promise<string> {
  const { rows } = await db.query<{ role: string; others: string[] }>(
    `select current_user as role, array (
       select nspname::text from pg_namespace
        where nspname not in ($1, 'public', 'information_schema') and nspname !~ '^pg_' and has_schema_privilege(oid, 'usage')) as others`,
    [db.schema],
  );
  const [{ role, others } = { role: "", others: [] }] = rows;
  if (others.length > 0) throw new Error(`the role ${role} may also use ${others.join(", ")}`);
  return `up to date, as ${role}, which may use no other schema`;
}

function examineBus({ environment }: Installation): Promise<CheckResult> {
  return check("bus", async () => {
    const config = loadConfig(eventsConfig, environment);
    if (config.KAFKA_BROKERS.length === 0) return "the embedded one, in the databases";
    const kafka = new KafkaClient(config, "postern.doctor", createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }));
    const missing = await kafka.missingTopics(allTopics.map((topic) => topic.name));
    const brokers = `Kafka answers at ${config.KAFKA_BROKERS.join(", ")}`;
    return missing.length === 0
      ? `${brokers} and has every topic`
      : `${brokers}; not needed yet: ${missing.join(", ")}`;
  });
}

function examineCounters(installation: Installation): Promise<CheckResult> {
  return check("counters", async () => {
    const { REDIS_URL, ...settings } = installation.settings();
    if (!REDIS_URL) return "in the process: REDIS_URL is not set";
    const limits = await createLimits(REDIS_URL, createLogger(settings));
    await limits.ping().finally(() => limits.close());
    return "Redis answers";
  });
}
