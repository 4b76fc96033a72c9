import { setTimeout as delay } from "node:timers/promises";
import { emailIds } from "./send-mail.ts";
import { SmtpClient } from "./smtp.ts";

/** A message of a load; its subject is its marker. */
export interface LoadedMail {
  readonly marker: string;
  readonly recipients: readonly string[];
}

/** One that got its 250: an email per recipient, in their order. */
export interface AcceptedMail extends LoadedMail {
  readonly emailIds: readonly string[];
}

/** One that was refused, before its final dot or after it. */
export interface RefusedMail extends LoadedMail {
  readonly reply: string;
  readonly isSentWhole: boolean;
}

export interface MailLoadOptions {
  port: number;
  /** Chosen in turn, one for each message. */
  recipients: readonly (readonly string[])[];
  /** Begins every marker, so that loads can be told apart. */
  name: string;
  sessions?: number;
  /** How long each session rests between two messages. */
  restMs?: number;
  /** What to show where the load did not get on. */
  explain?(): string;
}

/** A service that was killed may take long to come back where many share the machine. */
const patienceMs = 120_000;

/** 4 kB. */
const body = "All work and no play makes Jack a dull boy.\r\n".repeat(88);

/** Mail that pours in over sessions that are kept open, and opened again when they are lost, until it is stopped. */
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
    this.#options = { sessions: 20, restMs: 200, explain: () => "", ...options };
    this.#sessions = Array.from({ length: this.#options.sessions }, () => this.#pour());
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

  async #pour(): Promise<void> {
    const { port, restMs } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const client = await SmtpClient.open(port).catch(() => undefined);
      let isOpen = client !== undefined;
      while (client && isOpen && !signal.aborted) {
        isOpen = await this.#sendOne(client);
        await delay(restMs, undefined, { signal }).catch(() => undefined);
      }
      client?.destroy();
      if (!isOpen) await delay(restMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether the session is good for another. */
  async #sendOne(client: SmtpClient): Promise<boolean> {
    const mail = this.#next();
    const commands = ["MAIL FROM:<jack@example.com>", ...mail.recipients.map((each) => `RCPT TO:<${each}>`), "DATA"];
    for (const command of commands) {
      const reply = await client.command(command);
      if (/^[23]/.test(reply)) continue;
      this.refused.push({ ...mail, reply, isSentWhole: false });
      return reply !== "" && !reply.startsWith("421") && (await client.command("RSET")).startsWith("250");
    }
    client.send(`From: Jack <jack@example.com>\r\nSubject: ${mail.marker}\r\n\r\n${body}`);
    const reply = await client.command(".");
    if (reply.startsWith("250")) this.accepted.push({ ...mail, emailIds: emailIds(reply) });
    else if (reply === "") this.unanswered.push(mail);
    else this.refused.push({ ...mail, reply, isSentWhole: true });
    return reply !== "" && !reply.startsWith("421");
  }

  #next(): LoadedMail {
    const { recipients, name } = this.#options;
    const number = this.#count++;
    return { marker: `${name}-${number}-end`, recipients: recipients[number % recipients.length] ?? [] };
  }
}
