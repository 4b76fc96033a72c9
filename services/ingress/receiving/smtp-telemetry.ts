import { asError, Outage } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";
import type { ReceivedMessage } from "./acceptance-event.ts";
import type { Email } from "./mail-transaction.ts";

/** 1 KiB to 16 MiB, each four times the one before. */
const sizeBuckets = Array.from({ length: 8 }, (_, power) => 1024 * 4 ** power);

/** Metrics and logs of incoming mail: ids, counts and sizes, never a mail address or content. */
export class SmtpTelemetry {
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

  /** Counts and logs a refusal. Any other error becomes a temporary one: an outage, or an error of ours. */
  refused(thrown: unknown, client: string): SmtpRefusal {
    const refusal = thrown instanceof SmtpRefusal ? thrown : new SmtpRefusal("outage", thrown);
    this.#refused.inc({ reason: refusal.reason });
    if (refusal === thrown) this.#logger.info({ client, reason: refusal.reason }, "mail refused");
    else if (thrown instanceof Outage)
      this.#logger.warn({ client, what: thrown.what, err: thrown }, "mail deferred by an outage");
    else this.#logger.error({ client, err: asError(thrown) }, "mail deferred after an unexpected error");
    return refusal;
  }

  /** The verifier failed unexpectedly. */
  authenticationFailed(fault: unknown, client: string): void {
    this.#logger.error({ client, err: asError(fault) }, "message authentication failed");
  }
}
