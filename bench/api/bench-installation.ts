import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AttachedProcess } from "../../scripts/peers/attached-process.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { builtProgram } from "../../scripts/services/built.ts";
import { startEmbeddedPostgres } from "../../services/platform/db/embedded.ts";
import { heapOptions, startEnvironment } from "../../services/platform/runtime/garbage-collection.ts";
import { createLogger } from "../../services/platform/telemetry/logger.ts";
import { makeBinding } from "../../test/support/http/rest-bindings.ts";
import { restClient } from "../../test/support/http/rest-client.ts";

/** What a page of the list of addresses shows. */
export const bindingCount = 20;

const startLimitMs = 60_000;
const account = { username: "owner@real.example", password: "a benchmark account's password" };

/** Postern as one process and the bare handler, over one PostgreSQL, in which one account has a page of bindings. */
interface BenchInstallation {
  postern: { port: number; pid: number; token: string };
  bare: { port: number; pid: number };
  stop(): Promise<void>;
}

/** @param nodeOptions of Postern's process, as `--cpu-prof` */
export async function startBenchInstallation(nodeOptions: readonly string[]): Promise<BenchInstallation> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  const [posternPort = 0, smtpPort = 0, barePort = 0] = await freePorts(3);
  const stops = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const logger = createLogger({ LOG_LEVEL: "warn", LOG_FORMAT: "text" });
    const database = await startEmbeddedPostgres({ dataDir: folder, logger });
    stops.push(() => database.stop());
    const url = `http://127.0.0.1:${posternPort}`;
    const postern = await start(
      "Postern",
      folder,
      [...heapOptions, ...nodeOptions, builtProgram("main"), "--target=all"],
      {
        ...startEnvironment,
        HTTP_PORT: `${posternPort}`,
        SMTP_PORT: `${smtpPort}`,
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        SECRET_KEY: "a secret of a benchmark, 32 characters",
        BOOTSTRAP_USER: account.username,
        BOOTSTRAP_PASSWORD: account.password,
      },
    );
    stops.push(() => postern.stop());
    await postern.ready(() => isAnswered(`${url}/readyz`), startLimitMs);
    const { token, ownerId } = await fill(url);
    const bare = await start(
      "bare",
      folder,
      [script("bench/api/plain-server.ts"), `${barePort}`, database.url, ownerId],
      {},
    );
    stops.push(() => bare.stop());
    await bare.ready(() => isAnswered(`http://127.0.0.1:${barePort}/api/v1/proxy-bindings`), startLimitMs);
    return { postern: { port: posternPort, pid: postern.pid, token }, bare: { port: barePort, pid: bare.pid }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const script = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

function start(name: string, folder: string, words: readonly string[], environment: NodeJS.ProcessEnv) {
  const { PATH, HOME } = process.env;
  return AttachedProcess.start(name, join(folder, `${name}.log`), [process.execPath, ...words], {
    PATH,
    HOME,
    ...environment,
  });
}

async function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Each binding with one real address of somebody else's, as people have them. */
async function fill(url: string): Promise<{ token: string; ownerId: string }> {
  const rest = await restClient(url, account);
  for (let at = 0; at < bindingCount; at++)
    await makeBinding(rest, {
      real_addresses: [`somebody-${at}@real.example`],
      description: `The shop of number ${at}`,
    });
  const { body } = await rest.get("/api/v1/users/me");
  return { token: rest.token, ownerId: String(body?.["data"]?.["id"]) };
}
