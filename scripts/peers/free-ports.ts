import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 and up by RFC 6335 section 6):
 * one of those may be taken by anybody's connection before the server that is told of it listens.
 */
const forServers = { lowest: 12_000, beyond: 32_000 };

/**
 * Ports of the loopback interface that nobody listens on right now, all different. Nobody else is given them by this function as long as
 * this process runs: a server that is stopped and started again finds its port free.
 */
export async function freePorts(count: number, { lowest, beyond } = forServers): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(lowest, beyond);
    const hold = await holdOf(port);
    if (hold && (await hasNoServer(port))) ports.push(port);
    else hold?.close();
  }
  return ports;
}

/** Says to other processes that the port is given away, until this one ends however it ends; undefined where somebody else has said so. */
function holdOf(port: number): Promise<Socket | undefined> {
  // What is given away are ports of TCP: those of UDP under the same numbers are nobody's.
  const socket = createSocket("udp4").unref();
  return unlessInUse(async () => {
    socket.bind(port, "127.0.0.1");
    await once(socket, "listening");
    return socket;
  });
}

/** Looks on all interfaces, as our servers listen. */
async function hasNoServer(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  const listening = await unlessInUse(() => once(server, "listening"));
  if (listening) await new Promise((resolve) => server.close(resolve));
  return listening !== undefined;
}

async function unlessInUse<T>(listen: () => Promise<T>): Promise<T | undefined> {
  try {
    return await listen();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  }
}
