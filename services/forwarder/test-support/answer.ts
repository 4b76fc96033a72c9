import { SealedMessageIds } from "../../message/header/sealed-message-id.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import type { AnswerContent } from "../answers/answer.ts";
import { composeAnswer } from "../answers/outgoing/compose-answer.ts";

/** What no answer may give away. */
export const realAddress = "Olive.Owner@home.example";
/** The contact's: ann@shop.example. */
export const reverseAddress = "re+aaaabbbbccccddddeeeeffff22@proxy.example";
export const messageIds = new SealedMessageIds(new Secrets("a secret key of the tests"));

/** An answer of olive's to ann, from shop@proxy.example. */
export const answerContent: AnswerContent = {
  emailId: "",
  rawId: "",
  sizeBytes: 0,
  direction: "answer",
  ownerId: "olive",
  bindingId: "",
  proxyAddress: "shop@proxy.example",
  displayName: "Olive",
  author: realAddress,
  recipients: [{ contactId: "", address: "ann@shop.example", reverseAddress }],
  named: [],
  realAddresses: [realAddress, "second@home.example"],
  sendsEncrypted: false,
  hopCount: 1,
};

/** What leaves for a message as its owner's program sent it, in Latin-1. */
export function compose(raw: string, differences: Partial<AnswerContent> = {}) {
  return composeAnswer(
    Buffer.from(raw, "latin1"),
    { ...answerContent, ...differences },
    { messageIds, serviceDomain: "proxy.example", contactAddresses: async () => [] },
  );
}

export function lines(...parts: string[]): string {
  return parts.join("\r\n");
}

/** A header section, without the empty line after it. */
export function answerHeader(...others: string[]): string {
  return lines(
    `From: ${realAddress}`,
    `To: ${reverseAddress}`,
    "Date: Mon, 2 Nov 2026 10:00:00 +0100",
    "Message-ID: <x@home.example>",
    ...others,
  );
}
