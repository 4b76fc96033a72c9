import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 and up by RFC 6335 section 6):
 * one of those may be taken by anybody's connection before the server that is told of it listens.
 */
const [lowest, beyond] = [12_000, 32_000];

/** Ports of the loopback interface that nobody listens on right now, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(lowest, beyond);
    const server = held.has(port) ? undefined : await listening(port);
    if (server) held.set(port, server);
  }
  await Promise.all([...held.values()].map((server) => new Promise((resolve) => server.close(resolve))));
  return [...held.keys()];
}

/** A server on all interfaces, as ours listen; undefined where somebody has the port. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port);
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  }
}
