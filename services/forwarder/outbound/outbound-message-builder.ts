import { withAsciiDomain } from "../../message/address/addr-spec.ts";
import type { ReversePaths } from "../../message/address/reverse-path.ts";
import type { Database } from "../../platform/db/types.ts";
import type { OutgoingAnswers } from "../answers/outgoing/outgoing-answers.ts";
import type { Answer, Delivery, Forward, Notice } from "../deliveries/delivery.ts";
import { readNotice } from "../notices/notice-content.ts";
import { describeOriginal, type Original } from "../reports/original.ts";
import type { Signer } from "../signing/signer.ts";
import type { OutboundMessage } from "../transports/transport.ts";
import type { ForwardedMessages } from "./forwarded-messages.ts";

interface OutboundMessageBuilderOptions {
  db: Database;
  messages: ForwardedMessages;
  answers: Pick<OutgoingAnswers, "message">;
  signer: Signer;
  reversePaths: ReversePaths;
  serviceName: string;
  serviceDomain: string;
}

interface BuiltMessage extends OutboundMessage {
  /** What is known of the message that is forwarded; undefined for a notice. */
  original: Original | undefined;
}

type BuiltContent = Pick<BuiltMessage, "content" | "original"> & { hasNullSender: boolean; smtpUtf8: boolean };

/** Makes of a delivery the message and envelope that a transport sends. */
export class OutboundMessageBuilder {
  readonly #options: OutboundMessageBuilderOptions;

  constructor(options: OutboundMessageBuilderOptions) {
    this.#options = options;
  }

  /** @throws Outage, or Refusal NotFound when the message was deleted */
  async build(delivery: Delivery): Promise<BuiltMessage> {
    const { id, address, eightBitMime } = delivery;
    const { content, hasNullSender, original, smtpUtf8 } = await this.#content(delivery);
    const sender = hasNullSender ? "" : this.#options.reversePaths.write(id, new Date());
    const envelope = { sender, recipient: withAsciiDomain(address), smtpUtf8, eightBitMime };
    return { deliveryId: id, envelope, content, original };
  }

  /** What is known of a message that is not sent. @throws as `build` does */
  async describe(delivery: Forward): Promise<Original> {
    return describeOriginal(await this.#options.messages.fields(delivery));
  }

  #content(delivery: Delivery): Promise<BuiltContent> {
    if (delivery.kind === "forward") return this.#forward(delivery);
    return delivery.kind === "answer" ? this.#answer(delivery) : this.#notice(delivery);
  }

  async #answer(delivery: Answer): Promise<BuiltContent> {
    const message = await this.#options.answers.message(delivery);
    const content = { sizeBytes: message.length, open: async () => [message] };
    return { content, original: undefined, hasNullSender: false, smtpUtf8: delivery.smtpUtf8 };
  }

  async #forward(delivery: Forward): Promise<BuiltContent> {
    const { content, fields, smtpUtf8 } = await this.#options.messages.prepare(delivery);
    // A bounce keeps its null reverse-path, so that a bounce of it is never answered (RFC 5321 sections 4.5.5 and 6.1).
    return { content, original: describeOriginal(fields), hasNullSender: delivery.envelopeSender === "", smtpUtf8 };
  }

  async #notice({ noticeId, address, smtpUtf8 }: Notice): Promise<BuiltContent> {
    const { db, signer, serviceName: name, serviceDomain: domain } = this.#options;
    const { message, isReport } = await readNotice(db, noticeId, address, { name, domain });
    const signed = await signer.signOwn(message);
    const content = { sizeBytes: signed.length, open: async () => [signed] };
    return { content, original: undefined, hasNullSender: isReport, smtpUtf8 };
  }
}
