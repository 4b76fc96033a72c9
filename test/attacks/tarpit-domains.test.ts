import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { forwarderDatabase } from "../../services/forwarder/test-support/database.ts";
import { ForwarderUnderTest } from "../../services/forwarder/test-support/forwarder.ts";
import { newId } from "../../services/platform/ids.ts";
import { eventually } from "../support/eventually.ts";
import { SmtpSink } from "../support/mail/smtp-sink.ts";
import type { TestDatabase } from "../support/peers/database.ts";
import { DnsServer } from "../support/peers/dns-server.ts";

// Servers that take a connection and never say a word: whoever forwards to some must not hold up everybody's mail.

const message = "From: Author <author@sender.example>\r\nSubject: hello\r\n\r\nhello\r\n";

let db: TestDatabase;
let sink: SmtpSink;
let dns: DnsServer;
let forwarder: ForwarderUnderTest;
const tarpits: Tarpit[] = [];

class Tarpit {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  get held(): number {
    return this.#sockets.size;
  }

  /** On the port that all exchangers have. */
  async listen(address: string): Promise<this> {
    await once(this.#server.listen(sink.port, address), "listening");
    tarpits.push(this);
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

beforeAll(async () => {
  db = await forwarderDatabase();
  sink = await SmtpSink.start({ disabledCommands: ["STARTTLS"] });
  dns = await DnsServer.start({ "good.example A": ["127.0.0.1"] });
});
afterEach(async () => {
  for (const tarpit of tarpits.splice(0)) await tarpit.stop();
  await forwarder?.stop();
  sink.messages.splice(0);
  await db.query("truncate delivery, notice, outbox cascade");
});
afterAll(async () => {
  await sink?.stop();
  await dns?.stop();
  await db?.dispose();
});

/** 40 mails to each of the domains, by `ownerOf` their index, and then 20 of another account, which all arrive. */
async function attack(domains: readonly string[], ownerOf: (index: number) => string): Promise<void> {
  forwarder = await ForwarderUnderTest.start(db, {
    OUTBOUND: "mx",
    MX_PORT: String(sink.port),
    DNS_SERVERS: dns.address,
    FORWARD_HANDSHAKE_S: "300",
  });
  for (let round = 0; round < 40; round++)
    for (const [index, domain] of domains.entries())
      await forwarder.accept(message, [`${round}@${domain}`], { ownerId: ownerOf(index) });
  await eventually(() => expect(tarpits.reduce((sum, { held }) => sum + held, 0)).toBeGreaterThanOrEqual(20));
  const victim = newId();
  for (let count = 0; count < 20; count++)
    await forwarder.accept(message, [`${count}@good.example`], { ownerId: victim });
  await eventually(() => expect(sink.messages).toHaveLength(20));
  // All the while the tarpits hold what they have.
  expect(tarpits.reduce((sum, { held }) => sum + held, 0)).toBeGreaterThanOrEqual(20);
  const { rows } = await db.query("select from delivery where owner_id <> $1 and attempts <> '[]'", [victim]);
  expect(rows).toEqual([]);
}

test("five tarpits of one account do not delay the mail of another", async () => {
  const domains = Array.from({ length: 5 }, (_, index) => `tarpit${index}.example`);
  for (const [index, domain] of domains.entries()) {
    dns.zone[`${domain} A`] = [`127.0.0.${index + 11}`];
    await new Tarpit().listen(`127.0.0.${index + 11}`);
  }
  const owner = newId();
  await attack(domains, () => owner);
});

test("nor do subdomains of one domain, each of another account", async () => {
  const domains = Array.from({ length: 6 }, (_, index) => `s${index}.tarpit.example`);
  for (const [index, domain] of domains.entries()) {
    dns.zone[`${domain} A`] = [`127.0.0.${index + 11}`];
    await new Tarpit().listen(`127.0.0.${index + 11}`);
  }
  const owners = domains.map(() => newId());
  await attack(domains, (index) => owners[index] ?? "");
});

test("nor do domains with one exchanger, each of another account", async () => {
  const domains = Array.from({ length: 6 }, (_, index) => `shared${index}.example`);
  for (const domain of domains) dns.zone[`${domain} A`] = ["127.0.0.11"];
  await new Tarpit().listen("127.0.0.11");
  const owners = domains.map(() => newId());
  await attack(domains, (index) => owners[index] ?? "");
});
