import { createServer, type Socket } from "node:net";
import { DnsServer, type Zone } from "../../../test/support/peers/dns-server.ts";
import { Egress, type EgressSettings } from "../egress/egress.ts";
import { type Responder, Target } from "./target.ts";

const closing: (() => Promise<unknown>)[] = [];

/** Stops what the functions below have started. */
export async function stopStarted(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** Has `stopStarted` call this. */
export function stopAfterTest(close: () => Promise<unknown>): void {
  closing.push(close);
}

export async function startTarget(responder: Responder, tls?: { key: string; cert: string }): Promise<Target> {
  const started = await Target.start(responder, tls);
  stopAfterTest(() => started.stop());
  return started;
}

export async function startNameServer(zone: Zone): Promise<DnsServer> {
  const started = await DnsServer.start(zone);
  stopAfterTest(() => started.stop());
  return started;
}

/** Starts a TCP server that calls `respond` once a client has sent something. @returns its URL */
export async function startRawServer(respond: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", () => respond(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stopAfterTest(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
}

/** Posts through an egress that may reach this machine unless `settings` say otherwise. */
export function post(url: string, settings: Partial<EgressSettings> = {}) {
  const egress = new Egress({
    allowedCidrs: ["127.0.0.0/8", "::1/128"],
    nameServers: [],
    timeoutMs: 10_000,
    ...settings,
  });
  return egress.post(url, { "x-test": "1" }, [Buffer.from("body")]);
}
