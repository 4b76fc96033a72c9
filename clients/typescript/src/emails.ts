import { type AwaitedEmail, awaitedEmail, type Email, email, time } from "./email.ts";
import { NoEmailError } from "./errors.ts";
import { pause, randomUuid } from "./pause.ts";
import { type CallOptions, delayBefore, type Transport } from "./transport.ts";

/** Which email to wait for. */
export interface EmailQuery {
  /** The proxy address; with a tag (`name+tag@domain`), mail to that tag alone. */
  address?: string | undefined;
  /** Or the address's id. */
  addressId?: string | undefined;
  /** What the envelope sender or From holds, without regard to case. */
  from?: string | undefined;
  /** What the subject holds, without regard to case. */
  subject?: string | undefined;
  /** Nothing that came before. Absent: everything that nobody has taken. */
  since?: Date | string | undefined;
  /** True unless given: nobody else who waits gets this email. */
  take?: boolean | undefined;
}

export interface WaitOptions extends CallOptions {
  /** How long to wait, in milliseconds; 60,000 unless given. 0 looks once. */
  timeoutMs?: number | undefined;
}

export interface EmailSummary {
  id: string;
  sender: string;
  recipient: string;
  subject: string;
  receivedAt: Date;
}

/** One request waits so long: proxies cut off what takes a minute. */
const sliceS = 25;
/** How much longer than its wait a request may take. */
const marginMs = 15_000;

/** What came to browsable proxy addresses. */
export class Emails {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Waits for the next email, one that came before the wait included; the oldest first. It is taken once, however often the
   * connection breaks off. Scope: mail:read.
   * @throws NoEmailError when none came in time; ApiError, ConnectionError
   */
  async next(query: EmailQuery, { timeoutMs = 60_000, signal }: WaitOptions = {}): Promise<AwaitedEmail> {
    const { address: recipient, addressId: binding, from, subject, take = true } = query;
    const since = query.since instanceof Date ? query.since.toISOString() : query.since;
    // The same waiter gets the same email again, so that an answer that was lost loses no email.
    const question = { recipient, binding, from, subject, since, take, waiter: take ? randomUuid() : undefined };
    const deadline = Date.now() + timeoutMs;
    for (let failures = 0; ; ) {
      const leftMs = Math.max(0, deadline - Date.now());
      const startedMs = Date.now();
      try {
        const waitS = Math.min(sliceS, leftMs / 1_000);
        const found = await this.#ask({ ...question, waitS }, signal);
        if (found) return awaitedEmail(found);
        failures = 0;
      } catch (error) {
        const delayMs = delayBefore(error, Math.min(failures, 4), true);
        failures += 1;
        if (delayMs === undefined || Date.now() + delayMs >= deadline) throw error;
        await pause(delayMs, signal);
        continue;
      }
      if (Date.now() >= deadline) throw new NoEmailError(`No email came in time${matching(query)}.`);
      // A server that stops answers at once.
      if (Date.now() - startedMs < 500) await pause(Math.min(250, leftMs), signal);
    }
  }

  async #ask(body: Asked, signal: AbortSignal | undefined) {
    const timeoutMs = body.waitS * 1_000 + marginMs;
    const answer = await this.#transport.rest("nextEmail", { body }, { signal, timeoutMs, retries: 0 });
    return answer?.data;
  }

  /** Those that are kept, the newest first. Scope: mail:read. */
  async *list(addressId: string, options?: CallOptions): AsyncIterableIterator<EmailSummary> {
    for (let after: string | undefined; ; ) {
      const input = { path: { proxyBindingId: addressId }, query: { "page[size]": 100, "page[after]": after } };
      const { data, links } = await this.#transport.rest("listReceivedEmailLinks", input, options);
      for (const { id, attributes } of data)
        yield {
          id,
          sender: attributes.sender_email,
          recipient: attributes.recipient_email,
          subject: attributes.subject,
          receivedAt: time(attributes.created_at),
        };
      after = links?.next ? (new URL(links.next, "http://x").searchParams.get("page[after]") ?? undefined) : undefined;
      if (after === undefined) return;
    }
  }

  /** Scope: mail:read. @throws NotFoundError */
  async get(id: string, options?: CallOptions): Promise<Email> {
    const { data } = await this.#transport.rest("showReceivedEmail", { path: { receivedEmailId: id } }, options);
    return email(data.id, data.attributes);
  }

  /** Removes what is kept of it. Scope: admin. @throws NotFoundError */
  async remove(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.rest("deleteReceivedEmail", { path: { receivedEmailId: id } }, options);
  }
}

interface Asked {
  recipient: string | undefined;
  binding: string | undefined;
  from: string | undefined;
  subject: string | undefined;
  since: string | undefined;
  take: boolean;
  waiter: string | undefined;
  waitS: number;
}

function matching({ address, addressId, from, subject }: EmailQuery): string {
  const wanted = { to: address ?? addressId, from, subject };
  const parts = Object.entries(wanted).flatMap(([name, value]) => (value ? [`${name} ${JSON.stringify(value)}`] : []));
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}
