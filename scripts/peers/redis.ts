import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttachedProcess } from "./attached-process.ts";
import { hasCommand } from "./command.ts";
import { provideDebianPackages } from "./debian-package.ts";
import { freePorts } from "./free-ports.ts";

const startLimitMs = 120_000;

/** A Redis on this machine that keeps nothing. */
export interface RedisServer {
  /** As REDIS_URL takes it. */
  readonly url: string;
  /** After `stop`: again on the same port, empty. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts redis-server on a port of the system's choice; it is installed from the system's packages if it is not there.
 * It ends with this process, however that ends.
 * @throws Error saying what is missing and how to get it.
 */
export async function startRedis(): Promise<RedisServer> {
  await provideDebianPackages(["redis-server"], () => hasCommand("redis-server", ["--version"]));
  const [port = 0] = await freePorts(1);
  let folder: string;
  let running: AttachedProcess;
  const start = async () => {
    folder = await mkdtemp(join(tmpdir(), "postern-redis-"));
    const settings = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
    running = await AttachedProcess.start("Redis", join(folder, "redis.log"), ["redis-server", ...settings]);
    await running.ready(() => answers(port), startLimitMs);
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Redis protocol specification, inline commands: PING is answered by +PONG. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", (answer) => {
      socket.destroy();
      resolve(answer.toString().startsWith("+PONG"));
    });
    socket.once("error", () => resolve(false));
  });
}
