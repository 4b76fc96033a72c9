import type { Counter } from "prom-client";
import { isAscii } from "../../message/coding/ascii.ts";
import { dayS } from "../../platform/durations.ts";
import { newId } from "../../platform/ids.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { Answer, Forward } from "../deliveries/delivery.ts";
import { composeReport } from "./compose-report.ts";
import type { FailureDescription } from "./failure-description.ts";
import { mayReport } from "./may-report.ts";
import type { Original } from "./original.ts";

/** A report to an author, ready to be scheduled. */
export interface ReportDraft {
  noticeId: string;
  author: string;
  /**
   * What its author is told of once: the email of a forward, whose author must not see how many real addresses there are, and the
   * delivery of an answer, which may go to several contacts.
   */
  toldOf: string;
  message: Buffer;
  /** Its headers are beyond ASCII (RFC 6531). */
  smtpUtf8: boolean;
  eightBitMime: boolean;
}

/** What a report tells of. */
interface ReportedMessage extends Pick<ReportDraft, "toldOf" | "author"> {
  proxyAddress: string;
  receivedAt: Date;
  original: Original | undefined;
}

/** How a delivery failed for good. */
interface Failure extends FailureDescription {
  isAnswerable: boolean;
  original: Original | undefined;
}

interface AuthorReportsOptions {
  serviceName: string;
  serviceDomain: string;
  limits: Limits;
  secrets: Secrets;
  metrics: Metrics;
}

/** Limits for one author, one binding and one account, so that a flood of failing mail does not make us write to any number of authors. */
const reportsPerDay = { author: 20, binding: 50, account: 200 };

/** Composes reports to authors whose messages could not be delivered, where a report is allowed; otherwise only the owner is notified. */
export class AuthorReports {
  readonly #options: AuthorReportsOptions;
  readonly #perAuthor: Limit;
  readonly #perBinding: Limit;
  readonly #perAccount: Limit;
  readonly #count: Counter;

  constructor(options: AuthorReportsOptions) {
    this.#options = options;
    const perDay = (name: string, points: number) => options.limits.limit({ name, points, windowS: dayS });
    this.#perAuthor = perDay("author-reports", reportsPerDay.author);
    this.#perBinding = perDay("author-reports-of-binding", reportsPerDay.binding);
    this.#perAccount = perDay("author-reports-of-account", reportsPerDay.account);
    this.#count = options.metrics.counter(
      "postern_forward_reports_total",
      "Failures, by whether their author was told",
      ["outcome"],
    );
  }

  /** Undefined where no report may be sent. */
  async draft(delivery: Forward, failure: Failure): Promise<ReportDraft | undefined> {
    const { serviceDomain } = this.#options;
    const isTold = mayReport(delivery, failure.isAnswerable, serviceDomain) && (await this.#isWithinLimits(delivery));
    this.#count.inc({ outcome: isTold ? "told" : "withheld" });
    if (!isTold) return undefined;
    const { envelopeSender: author, receivedAt, emailId: toldOf } = delivery;
    const proxyAddress = delivery.proxyAddress || delivery.recipient;
    // Whole, as the author wrote it: to leave out what has the real address would tell whether a guess at it is right.
    const { original } = failure;
    return this.#compose({ toldOf, author, proxyAddress, receivedAt, original }, failure);
  }

  /** What comes back of an answer goes to who wrote it: it names the reverse address, and of the contact's server the class of its reply. */
  draftForAnswer(
    { id: toldOf, answer, addressId, receivedAt }: Answer,
    failure: FailureDescription,
  ): ReportDraft | undefined {
    const recipient = answer?.recipients.find(({ contactId }) => contactId === addressId);
    if (!answer || !recipient) return undefined;
    const { author } = answer;
    const proxyAddress = recipient.reverseAddress;
    return this.#compose({ toldOf, author, proxyAddress, receivedAt, original: undefined }, failure);
  }

  #compose(
    { toldOf, author, proxyAddress, receivedAt, original }: ReportedMessage,
    { status, diagnostic }: FailureDescription,
  ): ReportDraft {
    const { serviceName, serviceDomain } = this.#options;
    const noticeId = newId();
    const reported = { author, proxyAddress, receivedAt, reportedAt: new Date(), status, diagnostic, original };
    const message = composeReport({ id: noticeId, serviceName, serviceDomain, ...reported });
    const eightBitMime = message.some((octet) => octet > 0x7f);
    return { noticeId, author, toldOf, message, smtpUtf8: !isAscii(author), eightBitMime };
  }

  async #isWithinLimits({ envelopeSender, bindingId, ownerId }: Forward): Promise<boolean> {
    // A digest: no address is kept in the clear.
    const author = this.#options.secrets.sign("author-reports", envelopeSender.toLowerCase());
    const counted: readonly [Limit, string][] = [
      [this.#perAccount, ownerId],
      [this.#perBinding, bindingId],
      [this.#perAuthor, author],
    ];
    // Looked at before any is counted: what one limit refuses must not use up the others.
    for (const [limit, key] of counted) if (!(await limit.check(key)).isAllowed) return false;
    for (const [limit, key] of counted) if (!(await limit.consume(key)).isAllowed) return false;
    return true;
  }
}
