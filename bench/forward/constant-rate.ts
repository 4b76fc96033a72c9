import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ComparedSystem } from "./compared-system.ts";
import { sessionCount } from "./max-rate.ts";
import type { RecordingSink } from "./recording-sink.ts";

const limitMs = 60_000;

/** Times from the 250 of a message to its delivery, in milliseconds. */
export interface Latencies {
  perS: number;
  p50Ms: number;
  p99Ms: number;
}

interface ConstantRate {
  perS: number;
  sizeBytes: number;
  durationS: number;
  /** Left out of the result: caches fill, and connections to a new sink are made. */
  warmUpS: number;
}

/** Sends messages at even intervals, whatever has become of those before, and sees when each arrives. */
export async function sendAtConstantRate(
  { smtpPort, recipient }: ComparedSystem,
  sink: RecordingSink,
  rate: ConstantRate,
): Promise<Latencies> {
  const { perS, sizeBytes, durationS, warmUpS } = rate;
  const sessions = await Promise.all(Array.from({ length: sessionCount }, () => Session.open(smtpPort)));
  const idle = [...sessions];
  const waiting: (() => void)[] = [];
  const takenAt = new Map<number, number>();
  const body = bodyOf(sizeBytes);
  const send = async (number: number): Promise<void> => {
    if (idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const session = idle.pop() as Session;
    await session.send(recipient, `X-Bench: ${number}\r\n${body}`);
    takenAt.set(number, performance.now());
    idle.push(session);
    waiting.shift()?.();
  };
  const total = Math.round(perS * (durationS + warmUpS));
  const counted = Math.round(perS * warmUpS);
  const startedAt = performance.now();
  const sending: Promise<void>[] = [];
  while (sending.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perS) / 1_000));
    while (sending.length < due) sending.push(send(sending.length));
    await delay(1);
  }
  await Promise.all(sending);
  await arrival(sink, total);
  for (const session of sessions) session.close();
  const timesMs = [...takenAt]
    .filter(([number]) => number >= counted)
    .map(([number, at]) => (sink.arrivedAt.get(number) ?? Number.POSITIVE_INFINITY) - at)
    .sort((left, right) => left - right);
  const quantile = (share: number) => timesMs[Math.min(timesMs.length - 1, Math.floor(timesMs.length * share))] ?? 0;
  return { perS, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

async function arrival(sink: RecordingSink, total: number): Promise<void> {
  for (const until = Date.now() + limitMs; sink.arrivedAt.size < total; await delay(20)) {
    if (Date.now() > until) throw new Error(`of ${total} messages only ${sink.arrivedAt.size} were forwarded`);
  }
}

/** Lines of text, as smtp-source makes them. */
function bodyOf(sizeBytes: number): string {
  const line = `${"X".repeat(78)}\r\n`;
  const header = "From: <sender@sender.example>\r\nTo: <you@example.org>\r\nSubject: bench\r\n\r\n";
  return `${header}${line.repeat(Math.ceil(sizeBytes / line.length))}`;
}

/** A kept-open SMTP session: one command, one reply. */
class Session {
  readonly #socket: Socket;
  #received = "";
  #waiting: PromiseWithResolvers<string> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      this.#received += chunk.toString("latin1");
      if (!/^\d{3} .*\r\n$/m.test(this.#received)) return;
      const reply = this.#received;
      this.#received = "";
      this.#waiting?.resolve(reply);
    });
    socket.on("error", (error) => this.#waiting?.reject(error));
  }

  static async open(port: number): Promise<Session> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const session = new Session(socket);
    await session.#reply("2");
    await session.#command("EHLO source.example\r\n", "2");
    return session;
  }

  async send(recipient: string, message: string): Promise<void> {
    await this.#command("MAIL FROM:<sender@sender.example>\r\n", "2");
    await this.#command(`RCPT TO:<${recipient}>\r\n`, "2");
    await this.#command("DATA\r\n", "3");
    await this.#command(`${message}.\r\n`, "2");
  }

  close(): void {
    this.#socket.destroy();
  }

  #command(text: string, expected: string): Promise<void> {
    this.#socket.write(text);
    return this.#reply(expected);
  }

  async #reply(expected: string): Promise<void> {
    this.#waiting = Promise.withResolvers<string>();
    const reply = await this.#waiting.promise;
    if (!reply.startsWith(expected)) throw new Error(`a message was not taken: ${reply}`);
  }
}
