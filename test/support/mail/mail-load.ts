import { setTimeout as delay } from "node:timers/promises";
import { emailIds } from "./send-mail.ts";
import { SmtpClient } from "./smtp.ts";

/** A message of a load; its subject is its marker. */
export interface LoadedMail {
  readonly marker: string;
  readonly recipients: readonly string[];
}

/** One that got its 250: an email per recipient, in their order. */
interface AcceptedMail extends LoadedMail {
  readonly emailIds: readonly string[];
}

/** One that was refused, before its final dot or after it. */
interface RefusedMail extends LoadedMail {
  readonly reply: string;
  readonly isSentWhole: boolean;
}

export interface MailLoadOptions {
  /** 127.0.0.1 unless given. */
  host?: string;
  port: number;
  /** Chosen in turn, one for each message. */
  recipients: readonly (readonly string[])[];
  /** Begins every marker, so that loads can be told apart. */
  name: string;
  sessions?: number;
  /** How long each session rests between two messages. */
  restMs?: number;
  /** A whole message; a few kB of text unless given. */
  compose?(marker: string): string | Promise<string>;
  /** MAIL FROM. */
  sender?: string;
  /** As a server does: what was not answered by 250 is sent again, the same octets, once the connection is there. */
  isRepeated?: boolean;
  /** What to show where the load did not get on. */
  explain?(): string;
}

/** A service that was killed may take long to come back where many share the machine. */
const patienceMs = 120_000;

/** 4 kB. */
const body = "All work and no play makes Jack a dull boy.\r\n".repeat(88);

interface OpenMail extends LoadedMail {
  readonly message: string;
}

function standardMessage(marker: string): string {
  return `From: Jack <jack@example.com>\r\nSubject: ${marker}\r\n\r\n${body}`;
}

/** Mail that is sent over sessions that are kept open, and opened again when they are lost, until it is stopped. */
export class MailLoad {
  readonly accepted: AcceptedMail[] = [];
  /** With the reply: "" where the connection was lost before the final dot. */
  readonly refused: RefusedMail[] = [];
  /** Sent in whole, and the connection was lost before the answer: it may be there or not. */
  readonly unanswered: LoadedMail[] = [];
  readonly #options: Required<MailLoadOptions>;
  readonly #stopping = new AbortController();
  readonly #sessions: Promise<void>[];
  #count = 0;

  constructor(options: MailLoadOptions) {
    const defaults = { host: "127.0.0.1", sessions: 20, restMs: 200, sender: "jack@example.com", isRepeated: false };
    this.#options = { ...defaults, compose: standardMessage, explain: () => "", ...options };
    this.#sessions = Array.from({ length: this.#options.sessions }, () => this.#sendUntilStopped());
  }

  /** How many messages each reply put off or refused; "" where the connection was lost before the final dot. */
  get refusals(): ReadonlyMap<string, number> {
    const byReply = Map.groupBy(this.refused, ({ reply }) => reply);
    return new Map(Array.from(byReply, ([reply, mails]) => [reply, mails.length]));
  }

  /** Lets each session finish its message. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#sessions);
  }

  /** Until so many messages more were accepted. */
  acceptedMore(count: number): Promise<void> {
    return this.#more(count, this.accepted, "accepted");
  }

  /** Until so many messages more were refused. */
  refusedMore(count: number): Promise<void> {
    return this.#more(count, this.refused, "refused");
  }

  async #more(count: number, mails: readonly LoadedMail[], what: string): Promise<void> {
    const enough = mails.length + count;
    for (const until = Date.now() + patienceMs; mails.length < enough; await delay(20)) {
      if (Date.now() < until) continue;
      const { accepted, refused, unanswered } = this;
      const summary = `${accepted.length} accepted, ${refused.length} refused, ${unanswered.length} unanswered`;
      throw new Error(`no ${count} more messages were ${what}: ${summary}\n${this.#options.explain()}`);
    }
  }

  async #sendUntilStopped(): Promise<void> {
    const { host, port, isRepeated } = this.#options;
    const { signal } = this.#stopping;
    let pending: OpenMail | undefined;
    while (!signal.aborted || pending) {
      const client = await SmtpClient.open(port, undefined, host).catch(() => undefined);
      let isOpen = client !== undefined;
      while (client && isOpen && (!signal.aborted || pending)) {
        const mail: OpenMail = pending ?? (await this.#next());
        const outcome = await this.#sendOne(client, mail);
        isOpen = outcome.isOpen;
        pending = isRepeated && !outcome.isAccepted ? mail : undefined;
        await this.#rest(pending);
      }
      client?.destroy();
      if (!isOpen) await this.#rest(pending);
    }
  }

  /** Not cut short where there is something to repeat. */
  async #rest(pending: OpenMail | undefined): Promise<void> {
    const options = pending ? {} : { signal: this.#stopping.signal };
    await delay(this.#options.restMs, undefined, options).catch(() => undefined);
  }

  /** @returns whether the session is good for another. */
  async #sendOne(client: SmtpClient, mail: OpenMail): Promise<{ isOpen: boolean; isAccepted: boolean }> {
    const before = this.accepted.length;
    const isOpen = await this.#transact(client, mail);
    return { isOpen, isAccepted: this.accepted.slice(before).some(({ marker }) => marker === mail.marker) };
  }

  async #transact(client: SmtpClient, { message, ...mail }: OpenMail): Promise<boolean> {
    const { sender } = this.#options;
    const commands = [`MAIL FROM:<${sender}>`, ...mail.recipients.map((each) => `RCPT TO:<${each}>`), "DATA"];
    for (const command of commands) {
      const reply = await client.command(command);
      if (/^[23]/.test(reply)) continue;
      this.refused.push({ ...mail, reply, isSentWhole: false });
      return reply !== "" && !reply.startsWith("421") && (await client.command("RSET")).startsWith("250");
    }
    client.send(message);
    const reply = await client.command(".");
    if (reply.startsWith("250")) this.accepted.push({ ...mail, emailIds: emailIds(reply) });
    else if (reply === "") this.unanswered.push(mail);
    else this.refused.push({ ...mail, reply, isSentWhole: true });
    return reply !== "" && !reply.startsWith("421");
  }

  async #next(): Promise<OpenMail> {
    const { recipients, name, compose } = this.#options;
    const number = this.#count++;
    const marker = `${name}-${number}-end`;
    return { marker, recipients: recipients[number % recipients.length] ?? [], message: await compose(marker) };
  }
}
