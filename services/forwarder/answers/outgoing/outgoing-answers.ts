import { LRUCache } from "lru-cache";
import type { bindingsContract } from "../../../bindings/contract.ts";
import type { ingressContract } from "../../../ingress/contract.ts";
import { domainOf, withAsciiDomain } from "../../../message/address/addr-spec.ts";
import type { SealedMessageIds } from "../../../message/header/sealed-message-id.ts";
import { Semaphore } from "../../../platform/concurrency/semaphore.ts";
import { Outage, Refusal, ServiceError } from "../../../platform/errors.ts";
import type { Client, StreamClient } from "../../../platform/rpc/contract.ts";
import type { Answer } from "../../deliveries/delivery.ts";
import { MissingDkimRecords } from "../../outbound/missing-dkim-records.ts";
import type { DomainKeys } from "../../signing/domain-keys.ts";
import type { Signer } from "../../signing/signer.ts";
import type { SigningIdentity } from "../../signing/signing-key.ts";
import type { AnswerContent } from "../answer.ts";
import type { NamedRealAddresses } from "../incoming/named-real-addresses.ts";
import { type ComposedAnswer, composeAnswer } from "./compose-answer.ts";

interface OutgoingAnswersOptions {
  ingress: StreamClient<typeof ingressContract>;
  bindings: Pick<Client<typeof bindingsContract>, "contactAddresses">;
  messageIds: SealedMessageIds;
  signer: Pick<Signer, "signAlways">;
  domainKeys: Pick<DomainKeys, "identityOf">;
  serviceDomain: string;
  namedRealAddresses: Pick<NamedRealAddresses, "isNamed">;
}

/** A whole message is in memory while it is composed. */
const maxComposing = 2;
const cachedBytes = 32 * 1024 * 1024;
/** Signatures end a week after they are made. */
const cachedMs = 600_000;

/** Makes the messages that leave of answers; the deliveries of one email share it. */
export class OutgoingAnswers {
  readonly #options: OutgoingAnswersOptions;
  readonly #room = new Semaphore(maxComposing);
  readonly #signed = new LRUCache<string, Buffer>({
    maxSize: cachedBytes,
    maxEntrySize: cachedBytes / 4,
    sizeCalculation: ({ length }) => length,
    ttl: cachedMs,
  });

  constructor(options: OutgoingAnswersOptions) {
    this.#options = options;
  }

  /** @throws Outage, or Refusal NotFound when the message was deleted */
  compose(answer: AnswerContent): Promise<ComposedAnswer> {
    const { bindings, messageIds, namedRealAddresses, serviceDomain } = this.#options;
    return this.#room.run(async () => {
      const raw = await this.#read(answer.rawId);
      const isNamed = await namedRealAddresses.isNamed(answer.bindingId);
      return composeAnswer(raw, answer, {
        messageIds,
        serviceDomain,
        isNamed,
        contactAddresses: (tokens) => bindings.contactAddresses({ bindingId: answer.bindingId, tokens: [...tokens] }),
      });
    });
  }

  /** Signed for the domain of the proxy address, never unsigned. @throws MissingDkimRecords, and as `compose` does */
  async message({ emailId, answer }: Answer): Promise<Buffer> {
    if (!answer) throw new Refusal("NotFound", { public: "This answer is gone." });
    // Asked for before the message is read and composed: an answer may wait for its keys for days. And before it is found composed: its domain
    // may be another account's by now, or its keys have changed.
    const identity = await this.#identityOf(answer);
    const key = [emailId, ...(identity?.keys ?? []).map(({ selector }) => selector)].join(" ");
    const known = this.#signed.get(key);
    if (known) return known;
    const { message } = await this.compose(answer);
    const signed = await this.#options.signer.signAlways(message, identity);
    this.#signed.set(key, signed);
    return signed;
  }

  /** Undefined: the service's own. @throws MissingDkimRecords */
  async #identityOf({ proxyAddress, ownerId }: AnswerContent): Promise<SigningIdentity | undefined> {
    const { domainKeys, serviceDomain } = this.#options;
    const domain = domainOf(withAsciiDomain(proxyAddress));
    if (domain === serviceDomain) return undefined;
    const identity = await domainKeys.identityOf(domain, ownerId);
    if (identity.keys.length === 0) throw new MissingDkimRecords(domain);
    return identity;
  }

  async #read(rawId: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of await this.#options.ingress.rawMessage({ rawId })) chunks.push(chunk as Buffer);
    } catch (cause) {
      throw cause instanceof ServiceError ? cause : new Outage("ingress", { cause });
    }
    return Buffer.concat(chunks);
  }
}
