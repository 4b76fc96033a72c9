import { domainToASCII } from "node:url";
import type { ingressContract } from "../../ingress/contract.ts";
import { Outage, Refusal } from "../../platform/errors.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import { failsOnceForwarded } from "../authentication.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import { type HeaderField, readFields, writeFields } from "../message/header-section.ts";
import { withOwnFrom } from "../message/own-from.ts";
import { claimsToBeOurs } from "../message/results-of-ours.ts";
import type { Signer } from "../signing/signer.ts";
import type { Content } from "../transports/transport.ts";
import { forwardedContent } from "./forwarded-content.ts";
import { authenticationResultsHeader, receivedHeader } from "./received-field.ts";
import { Recent } from "./recent.ts";
import { type Outline, readOutline } from "./scan-message.ts";

export interface ForwardedMessagesOptions {
  ingress: StreamClient<typeof ingressContract>;
  signer: Signer;
  serviceDomain: string;
}

/** A message ready to go on, and its header section as it came. */
export interface ForwardedMessage {
  content: Content;
  fields: readonly HeaderField[];
}

/** Up to this a message is read whole: one piece is cheaper to send, and all that are in hand stay within bounds. */
const wholeLimitBytes = 256 * 1024;
const hashesKept = 10_000;
const signaturesKept = 1_000;

/**
 * Makes of what came what goes on. The targets of one email share its signatures, and the emails of one message the hash
 * of its body: they are the same octets. A large message is read twice, to be hashed and to be sent, and never held.
 */
export class ForwardedMessages {
  readonly #options: ForwardedMessagesOptions;
  readonly #bodyHashes = new Recent<string>(hashesKept);
  readonly #signatures = new Recent<readonly HeaderField[]>(signaturesKept);

  constructor(options: ForwardedMessagesOptions) {
    this.#options = options;
  }

  /** @throws Outage, or Refusal NotFound when the message is gone */
  async prepare(delivery: Delivery): Promise<ForwardedMessage> {
    const { serviceDomain } = this.#options;
    const rawId = delivery.rawId ?? "";
    const { header, whole, bodyHash } = await this.#read(rawId, delivery.sizeBytes ?? 0);
    const fields = readFields(header);
    const going = this.#asItGoesOn(fields, delivery);
    const signatures = await this.#sign(delivery, going, bodyHash);
    const trace = authenticationResultsHeader(delivery.authenticationResults) + receivedHeader(delivery, serviceDomain);
    const content = forwardedContent({
      header: Buffer.concat([
        Buffer.from(writeFields(signatures), "latin1"),
        Buffer.from(trace, "utf8"),
        going === fields ? header : Buffer.from(writeFields(going), "latin1"),
      ]),
      replacedBytes: header.length,
      sizeBytes: delivery.sizeBytes ?? 0,
      whole,
      open: () => this.#open(rawId),
    });
    return { content, fields };
  }

  async #read(rawId: string, sizeBytes: number): Promise<Outline> {
    const isKept = sizeBytes <= wholeLimitBytes;
    const isHashed = this.#options.signer.isOn && !this.#bodyHashes.has(rawId);
    const outline = await readOutline(this.#open(rawId), { isHashed, isKept });
    const { bodyHash } = outline;
    if (bodyHash !== undefined) await this.#bodyHashes.get(rawId, async () => bodyHash);
    return outline;
  }

  /** The only changes there are: what pretends to be our verdict goes, and From where the author's DMARC would fail. */
  #asItGoesOn(fields: readonly HeaderField[], delivery: Delivery): readonly HeaderField[] {
    const isForged = (field: HeaderField) => claimsToBeOurs(field, this.#options.serviceDomain);
    const honest = fields.some(isForged) ? fields.filter((field) => !isForged(field)) : fields;
    return failsOnceForwarded(delivery.authentication) ? withOwnFrom(honest, octets(proxyAddress(delivery))) : honest;
  }

  async #sign(delivery: Delivery, fields: readonly HeaderField[], known: string | undefined) {
    const { signer, serviceDomain } = this.#options;
    if (!signer.isOn) return [];
    return this.#signatures.get(delivery.emailId ?? "", async () => {
      const rawId = delivery.rawId ?? "";
      const bodyHash = known ?? (await this.#bodyHashes.get(rawId, () => this.#hash(rawId)));
      const results = octets(delivery.authenticationResults.replace(/[\r\n]+[ \t]*/g, "\r\n\t"));
      const chainState = delivery.authentication?.arc;
      return signer.sign({ fields, bodyHash, chainState, results: results || `${serviceDomain}; none` });
    });
  }

  /** Only if another's reading failed between our look and now. */
  async #hash(rawId: string): Promise<string> {
    const { bodyHash = "" } = await readOutline(this.#open(rawId), { isHashed: true, isKept: false });
    return bodyHash;
  }

  async *#open(rawId: string): AsyncGenerator<Buffer> {
    const raw = await this.#options.ingress.rawMessage({ rawId });
    try {
      for await (const chunk of raw) yield chunk;
    } catch (cause) {
      // A part must never pass for the whole: this ends the attempt, and it does not count.
      throw cause instanceof Refusal ? cause : new Outage("ingress", { cause });
    }
  }
}

/** As it may stand in a header: beyond ASCII only where the message may be (RFC 6532). */
function proxyAddress({ proxyAddress: address, smtpUtf8 }: Delivery): string {
  const at = address.lastIndexOf("@");
  return smtpUtf8 ? address : `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}

/** UTF-8 as the strings of a field have it: one character an octet. */
function octets(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
