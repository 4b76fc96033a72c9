import { createServer, type Socket } from "node:net";
import { DnsServer, type Zone } from "../../../test/support/dns-server.ts";
import { Egress, type EgressSettings } from "../egress/egress.ts";
import { type Responder, Target } from "./target.ts";

const closing: (() => Promise<unknown>)[] = [];

/** Ends what the functions below have started. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** Runs when the test is over. */
export function atEnd(close: () => Promise<unknown>): void {
  closing.push(close);
}

export async function target(responder: Responder, tls?: { key: string; cert: string }): Promise<Target> {
  const started = await Target.start(responder, tls);
  atEnd(() => started.stop());
  return started;
}

export async function nameServer(zone: Zone): Promise<DnsServer> {
  const started = await DnsServer.start(zone);
  atEnd(() => started.stop());
  return started;
}

/** The URL of a server that, once somebody has said something, does what it likes with the connection. */
export async function speaking(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
}

/** Posts by an egress that may reach this machine, unless told otherwise. */
export function send(url: string, settings: Partial<EgressSettings> = {}) {
  const egress = new Egress({
    allowedCidrs: ["127.0.0.0/8", "::1/128"],
    nameServers: [],
    timeoutMs: 10_000,
    ...settings,
  });
  return egress.post(url, { "x-test": "1" }, [Buffer.from("body")]);
}
