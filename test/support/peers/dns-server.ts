import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

/**
 * Records by "name TYPE": addresses for A and AAAA, "priority exchange" for MX, texts for TXT, "usage selector matching-type data" for
 * TLSA, a name for CNAME, whose records answer for the alias as well; "SERVFAIL" alone for a question that fails, "SILENCE" for one that is
 * not answered. What is not there does not exist.
 */
export type Zone = Record<string, readonly string[]>;

const types: Readonly<Record<number, string>> = { 1: "A", 5: "CNAME", 15: "MX", 16: "TXT", 28: "AAAA", 52: "TLSA" };
const aliasType = 5;
/** A pointer to it. */
const questionName = Buffer.from([0xc0, 12]);
const serverFailure = 2;
const noSuchName = 3;

/** A name server on a loopback port (RFC 1035 section 4), for what is to be found under made-up domains. */
export class DnsServer {
  readonly #socket: Socket = createSocket("udp4");
  /** May be changed: each question is looked up when it comes. */
  readonly zone: Record<string, readonly string[]>;
  /** The TTL of an answer, by its question. */
  ttlS: (question: string) => number = () => 60;
  /** Questions asked, as "name TYPE". */
  readonly questions: string[] = [];
  /** Hears every question and answers none. */
  isSilent = false;

  private constructor(zone: Zone) {
    this.zone = zone;
    this.#socket.on("message", (query, from) => this.#answer(query, from));
  }

  static async start(zone: Zone): Promise<DnsServer> {
    const server = new DnsServer(zone);
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    return server;
  }

  /** As DNS_SERVERS takes it. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(resolve));
  }

  #answer(query: Buffer, from: RemoteInfo): void {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end);
    const question = query.subarray(12, end + 4);
    const key = `${name.toLowerCase()} ${types[type] ?? type}`;
    this.questions.push(key);
    // Looked up once: a zone may answer differently each time.
    const own = this.zone[key];
    const alias = own ? undefined : this.zone[`${name.toLowerCase()} CNAME`]?.[0];
    const found = own ?? this.zone[`${alias} ${types[type]}`] ?? [];
    if (this.isSilent || found[0] === "SILENCE") return;
    const isFailing = found[0] === "SERVFAIL";
    const records = isFailing ? [] : found;
    const code = isFailing ? serverFailure : records.length > 0 ? 0 : noSuchName;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | code, 2);
    header.writeUInt16BE(1, 4);
    const ttlS = this.ttlS(key);
    const owner = alias === undefined ? questionName : writeName(alias);
    const answers = records.map((record) => resourceRecord(owner, type, ttlS, recordData(types[type] ?? "", record)));
    if (alias !== undefined) answers.unshift(resourceRecord(questionName, aliasType, ttlS, writeName(alias)));
    header.writeUInt16BE(answers.length, 6);
    this.#socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address);
  }
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

function writeName(name: string): Buffer {
  const labels = name.split(".").filter((label) => label !== "");
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}

function resourceRecord(owner: Buffer, type: number, ttlS: number, data: Buffer): Buffer {
  // Type, class IN, TTL, length.
  const head = Buffer.from([type >> 8, type & 255, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(ttlS, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, head, data]);
}

function recordData(type: string, record: string): Buffer {
  if (type === "A" || type === "AAAA") return Buffer.from(ipaddr.parse(record).toByteArray());
  // In character-strings of 255 octets at most (RFC 1035 section 3.3.14).
  if (type === "TXT")
    return Buffer.concat(
      (record.match(/.{1,255}/gs) ?? [""]).map((part) =>
        Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]),
      ),
    );
  if (type === "TLSA") {
    const [usage = 0, selector = 0, matchingType = 0] = record.split(" ").map(Number);
    return Buffer.concat([
      Buffer.from([usage, selector, matchingType]),
      Buffer.from(record.split(" ")[3] ?? "", "hex"),
    ]);
  }
  if (type === "CNAME") return writeName(record);
  const [priority = "0", exchange = "."] = record.split(" ");
  const preference = Buffer.alloc(2);
  preference.writeUInt16BE(Number(priority));
  return Buffer.concat([preference, writeName(exchange)]);
}
