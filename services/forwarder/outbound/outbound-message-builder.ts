import type { Database } from "../../platform/db/types.ts";
import type { ReversePaths } from "../bounces/reverse-path.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import { describeOriginal, type Original } from "../message/original.ts";
import { readNotice } from "../notices/notice-content.ts";
import type { Signer } from "../signing/signer.ts";
import type { Parcel } from "../transports/transport.ts";
import type { ForwardedMessages } from "./forwarded-messages.ts";

export interface ParcelOptions {
  db: Database;
  messages: ForwardedMessages;
  signer: Signer;
  reversePaths: ReversePaths;
  serviceName: string;
  serviceDomain: string;
}

/** A parcel, and what is known of the message that it holds; nothing of one that is our own. */
export interface PackedParcel extends Parcel {
  original: Original | undefined;
}

type Packed = Pick<PackedParcel, "content" | "original"> & { hasNullSender: boolean };

/** Makes of a delivery what a transport sends. */
export class Parcels {
  readonly #options: ParcelOptions;

  constructor(options: ParcelOptions) {
    this.#options = options;
  }

  /** @throws Outage, or Refusal NotFound when what was to be sent is gone */
  async pack(delivery: Delivery): Promise<PackedParcel> {
    const { id, noticeId, address, smtpUtf8, eightBitMime } = delivery;
    const { content, hasNullSender, original } =
      noticeId === null ? await this.#forward(delivery) : await this.#notice(noticeId, address);
    const sender = hasNullSender ? "" : this.#options.reversePaths.write(id, new Date());
    const envelope = { sender, recipient: address, smtpUtf8, eightBitMime };
    return { deliveryId: id, envelope, content, original };
  }

  async #forward(delivery: Delivery): Promise<Packed> {
    const { content, fields } = await this.#options.messages.prepare(delivery);
    // A bounce keeps its null reverse-path, lest its own bounce should ever be answered (RFC 5321 sections 4.5.5 and 6.1).
    return { content, original: describeOriginal(fields), hasNullSender: delivery.envelopeSender === "" };
  }

  async #notice(noticeId: string, recipient: string): Promise<Packed> {
    const { db, signer, serviceName: name, serviceDomain: domain } = this.#options;
    const { message, isReport } = await readNotice(db, noticeId, recipient, { name, domain });
    const signed = await signer.signOwn(message);
    const content = { sizeBytes: signed.length, open: async () => [signed] };
    return { content, original: undefined, hasNullSender: isReport };
  }
}
