import { dayS, hourS } from "../../platform/durations.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import type { BindingsConfig } from "../config.ts";

interface Sending {
  readonly ownerId: string;
  readonly contactId: string;
  /** Nothing was sent to the contact before. */
  readonly isNew: boolean;
  readonly isAutomatic: boolean;
  /** The same where the same message comes again, since whoever asked did not hear that it was admitted: it counts once. */
  readonly digest?: string | undefined;
}

/** Limits on what an account sends, counted over all replicas. */
export class SendingLimits {
  readonly #perHour: Limit;
  readonly #perDay: Limit;
  readonly #perContact: Limit;
  readonly #newContacts: Limit;
  readonly #automatic: Limit;
  /** Which messages were counted, for as long as the longest limit. */
  readonly #counted: Limit;

  constructor(limits: Limits, config: BindingsConfig) {
    this.#perHour = limits.limit({ name: "sent-hour", points: config.LIMIT_SENT_PER_HOUR, windowS: hourS });
    this.#perDay = limits.limit({ name: "sent-day", points: config.LIMIT_SENT_PER_DAY, windowS: dayS });
    this.#perContact = limits.limit({
      name: "sent-contact",
      points: config.LIMIT_SENT_PER_CONTACT_PER_HOUR,
      windowS: hourS,
    });
    this.#newContacts = limits.limit({
      name: "first-sent",
      points: config.LIMIT_NEW_CONTACTS_PER_HOUR,
      windowS: hourS,
    });
    // RFC 3834 section 2.
    this.#automatic = limits.limit({ name: "sent-automatic", points: 1, windowS: dayS });
    this.#counted = limits.limit({ name: "sent-counted", points: 1, windowS: dayS });
  }

  /** Counts one recipient. False where a limit is reached: it counts towards none then, unless others took the last room meanwhile. */
  async consume({ ownerId, contactId, isNew, isAutomatic, digest }: Sending): Promise<boolean> {
    if (digest !== undefined && !(await this.#counted.check(digest)).isAllowed) return true;
    const counted: [Limit, string][] = [
      ...(isAutomatic ? [[this.#automatic, contactId] as [Limit, string]] : []),
      [this.#perContact, contactId],
      ...(isNew ? [[this.#newContacts, ownerId] as [Limit, string]] : []),
      [this.#perHour, ownerId],
      [this.#perDay, ownerId],
    ];
    for (const [limit, key] of counted) if (!(await limit.check(key)).isAllowed) return false;
    for (const [limit, key] of counted) if (!(await limit.consume(key)).isAllowed) return false;
    if (digest !== undefined) await this.#counted.consume(digest);
    return true;
  }
}
