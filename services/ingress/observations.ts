import { asError, Outage } from "../platform/errors.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import type { ReceivedMessage } from "./events.ts";
import type { Email } from "./mail-transaction.ts";
import { SmtpRefusal } from "./smtp/refusals.ts";

/** 1 KiB to 32 MiB, by fours. */
const sizeBuckets = Array.from({ length: 8 }, (_, power) => 1024 * 4 ** power);

/** What is counted and logged of the mail that comes in: ids, counts and sizes, never an address or content of a message. */
export class Observations {
  readonly #logger: Logger;
  readonly #accepted;
  readonly #refused;
  readonly #sizes;

  constructor(logger: Logger, metrics: Metrics) {
    this.#logger = logger;
    this.#accepted = metrics.counter("postern_smtp_accepted_total", "Messages accepted with 250");
    this.#refused = metrics.counter("postern_smtp_refused_total", "Commands refused, by reason", ["reason"]);
    this.#sizes = metrics.histogram("postern_smtp_message_size_bytes", "Sizes of accepted messages", sizeBuckets);
  }

  accepted({ rawId, sizeBytes, client, verdict }: ReceivedMessage, emails: readonly Email[]): void {
    this.#accepted.inc();
    this.#sizes.observe(sizeBytes);
    this.#logger.info(
      {
        rawId,
        emailIds: emails.map((email) => email.id),
        sizeBytes,
        client: client.address,
        protocol: client.protocol,
        dmarc: verdict.dmarc,
      },
      "message accepted",
    );
  }

  /** Counts a refusal; whatever else was thrown becomes one: something we need is out of reach, or we have a fault. */
  refused(thrown: unknown, client: string): SmtpRefusal {
    const refusal = thrown instanceof SmtpRefusal ? thrown : new SmtpRefusal("outage", thrown);
    this.#refused.inc({ reason: refusal.reason });
    if (refusal === thrown) this.#logger.info({ client, reason: refusal.reason }, "mail refused");
    else if (thrown instanceof Outage)
      this.#logger.warn({ client, reason: refusal.reason }, `mail put off: ${thrown.message}`);
    else this.#logger.error({ client, err: asError(thrown) }, "mail put off: a fault of ours");
    return refusal;
  }

  /** Nothing could be said of the sender, because of a fault of ours. */
  notJudged(fault: unknown, client: string): void {
    this.#logger.error({ client, err: asError(fault) }, "a message could not be authenticated");
  }
}
