import { once } from "node:events";
import { createConnection } from "node:net";
import { type RedisServer, startRedis } from "../../../scripts/peers/redis.ts";

/** REDIS_URL, or a Redis for this test file; ends with the test's process. */
export async function testRedis(): Promise<{ url: string; dispose(): Promise<void> }> {
  const url = process.env["REDIS_URL"];
  if (url) return { url, dispose: async () => undefined };
  const server = await startRedis();
  return { url: server.url, dispose: () => server.stop() };
}

/** A Redis that a test may stop and start again. */
export function ownRedis(): Promise<RedisServer> {
  return startRedis();
}

/** How many keys a Redis has. Redis protocol specification, inline commands. */
export async function keyCount(url: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  socket.write("DBSIZE\r\n");
  const [answer] = await once(socket, "data");
  socket.destroy();
  return Number(String(answer).slice(1));
}
