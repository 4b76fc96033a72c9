import type { mailboxContract } from "../../mailbox/contract.ts";
import { ByteBudget, type Release } from "../../platform/concurrency/byte-budget.ts";
import { Outage } from "../../platform/errors.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import type { HeldBody } from "../calls/call.ts";
import { type BodyIdentity, type CallbackContent, callbackBody, callbackContent } from "./body.ts";
import type { Callback } from "./callback.ts";
import { linkExpiry } from "./link-expiry.ts";

/** Payloads up to this size take nothing of the budget: as many as are in flight at once fit in memory. */
const shortBytes = 256 * 1024;
/** For room; after it the callback makes way for others. */
const patienceMs = 15_000;

const mebibyte = 1024 * 1024;

/** Of all long bodies in flight together. @param limitMb CALLBACK_BODIES_MB */
export function bodyBudget(limitMb: number): ByteBudget {
  return new ByteBudget({ limitBytes: limitMb * mebibyte, shareBytes: (limitMb * mebibyte) / 2 });
}

interface BodyReaderParts {
  readonly mailbox: Pick<StreamClient<typeof mailboxContract>, "callbackContent">;
  readonly budget: ByteBudget;
}

interface Wanted {
  readonly emailId: string;
  readonly ownerId: string;
  /** Of its links, so that every attempt has the same body. */
  readonly linksExpireAt: string;
}

/**
 * Reads bodies, long ones within a common budget. Where there is no room for one, nothing of it is held, here or in mailbox, until
 * there is: then it is asked for again.
 */
export class BodyReader {
  readonly #parts: BodyReaderParts;

  constructor(parts: BodyReaderParts) {
    this.#parts = parts;
  }

  /**
   * The body of a callback, as attempts want it.
   * @param scheduleS seconds after each failed attempt
   */
  forSchedule(scheduleS: readonly number[]) {
    return ({ id: emailId, ownerId, receivedAt }: Callback, identity: BodyIdentity): Promise<HeldBody> => {
      const linksExpireAt = linkExpiry(receivedAt, scheduleS, new Date()).toISOString();
      return this.read({ emailId, ownerId, linksExpireAt }, identity);
    };
  }

  /** @throws Refusal NotFound for an email that is no longer kept; Outage, also if there is no room, or the connection fails. */
  async read(wanted: Wanted, identity: BodyIdentity): Promise<HeldBody> {
    const { budget } = this.#parts;
    const content = await this.#open(wanted);
    const { payloadBytes } = content.head;
    const isShort = payloadBytes <= shortBytes;
    const free = isShort ? () => undefined : budget.tryTake(payloadBytes, wanted.ownerId);
    if (free) return this.#hold(wanted, identity, free, content);
    content.close();
    const release = await budget.acquire(payloadBytes, wanted.ownerId, patienceMs);
    if (!release) throw new Outage("webhook", { operator: "there is no room for the body of a callback" });
    return this.#hold(wanted, identity, release);
  }

  async #hold(wanted: Wanted, identity: BodyIdentity, release: Release, opened?: CallbackContent): Promise<HeldBody> {
    try {
      const content = opened ?? (await this.#open(wanted));
      return { pieces: await orOutage(callbackBody(wanted.emailId, content, identity)), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #open({ emailId, linksExpireAt }: Wanted): Promise<CallbackContent> {
    const stream = await this.#parts.mailbox.callbackContent({ emailId, linksExpireAt });
    return orOutage(callbackContent(stream));
  }
}

async function orOutage<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (cause) {
    throw new Outage("mailbox", { cause });
  }
}
