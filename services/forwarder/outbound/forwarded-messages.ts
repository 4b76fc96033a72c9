import { isAscii as isAsciiBytes } from "node:buffer";
import { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import type { ingressContract } from "../../ingress/contract.ts";
import { domainOf, splitAddress, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { isAscii } from "../../message/coding/ascii.ts";
import { type HeaderField, parseFields, serializeFields, textAsBytes } from "../../message/header/fields.ts";
import { withoutNul } from "../../message/nul.ts";
import { Outage, ServiceError } from "../../platform/errors.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import type { IncomingMessage, IncomingRewriter } from "../answers/incoming/incoming-rewriter.ts";
import { needsOwnFrom } from "../deliveries/authentication.ts";
import type { Forward } from "../deliveries/delivery.ts";
import type { DomainKeys } from "../signing/domain-keys.ts";
import type { Signer } from "../signing/signer.ts";
import type { SigningIdentity } from "../signing/signing-key.ts";
import type { MessageContent } from "../transports/transport.ts";
import { type Edit, editedContent, editedPieces, editedStream } from "./edits.ts";
import { MissingDkimRecords } from "./missing-dkim-records.ts";
import { withoutForgedResults } from "./our-authentication-results.ts";
import { authenticationResultsHeader, receivedHeader } from "./received-field.ts";
import { withOwnFrom } from "./rewrite-from.ts";
import { type ScannedMessage, scanMessage } from "./scan-message.ts";
import { withSubjectTag } from "./subject-tag.ts";

interface ForwardedMessagesOptions {
  ingress: StreamClient<typeof ingressContract>;
  signer: Signer;
  domainKeys: Pick<DomainKeys, "identityOf">;
  serviceDomain: string;
  incoming: Pick<IncomingRewriter, "read">;
}

/** A message ready to be sent, and the header fields that it came with. */
interface ForwardedMessage {
  content: MessageContent;
  fields: readonly HeaderField[];
  /** Whether it can go by a server with SMTPUTF8 alone (RFC 6531). */
  smtpUtf8: boolean;
}

/** What is known of a message once all of it was read. */
interface KnownBody {
  readonly hash: string;
  readonly hasWidePart: boolean;
}

/** A forward with the header fields that leave, which its signatures cover. */
interface ForwardToSign {
  readonly delivery: Forward;
  readonly fields: readonly HeaderField[];
  readonly isFromOurs: boolean;
}

/** Up to this a message is read whole: one piece is cheaper to send, and all that are in flight stay within bounds. */
const wholeLimitBytes = 256 * 1024;
const maxBodies = 10_000;
/** DKIM signatures end a week after they are made, and a message may be retried for almost five days. */
const signatureLifetimeMs = 3_600_000;
const maxSignatures = 1_000;

/**
 * Builds what is sent on of a message that was received. The targets of one email share its signatures, and the emails of
 * one message the hash of its body: they are the same octets. A large message is read twice, to be hashed and to be sent,
 * and never held in memory.
 */
export class ForwardedMessages {
  readonly #options: ForwardedMessagesOptions;
  /** By raw id. */
  readonly #bodies = new LRUCache<string, KnownBody>({ max: maxBodies });
  /** By email id; promises, so that targets tried at the same time share them as well. */
  readonly #signatures = new LRUCache<string, Promise<readonly HeaderField[]>>({
    max: maxSignatures,
    ttl: signatureLifetimeMs,
    ttlResolution: 0,
    perf: Date,
  });

  constructor(options: ForwardedMessagesOptions) {
    this.#options = options;
  }

  /** @throws Outage, MissingDkimRecords, or Refusal NotFound when the message was deleted */
  async prepare(delivery: Forward): Promise<ForwardedMessage> {
    const { serviceDomain } = this.#options;
    const { sizeBytes } = delivery;
    const scanned = await this.#scan(delivery);
    const { header, whole } = scanned;
    const fields = parseFields(header);
    const open = () => this.#open(delivery);
    const incoming = delivery.answers
      ? await this.#options.incoming.read({ fields, whole, open }, delivery)
      : undefined;
    const { isFromOurs, forwarded } = this.#forwardedFields(fields, delivery, incoming);
    const edits = incoming?.edits ?? [];
    const bodyHash = edits.length > 0 ? await this.#editedHash(scanned, edits, delivery) : scanned.bodyHash;
    const signatures = await this.#signaturesOf({ delivery, fields: forwarded, isFromOurs }, bodyHash);
    const results = Buffer.from(authenticationResultsHeader(delivery.authenticationResults));
    const left = forwarded === fields ? header : Buffer.from(serializeFields(forwarded), "latin1");
    const smtpUtf8 = needsSmtpUtf8(delivery, [results, left], scanned.hasWidePart);
    const bytes = Buffer.concat([
      Buffer.from(serializeFields(signatures), "latin1"),
      results,
      Buffer.from(receivedHeader({ ...delivery, smtpUtf8 }, serviceDomain)),
      left,
    ]);
    const content = editedContent({ sizeBytes, whole, open }, [{ from: 0, to: header.length, bytes }, ...edits]);
    return { content, fields, smtpUtf8 };
  }

  /** The header section as it came, without making anything of it. @throws as `prepare` does */
  async fields(delivery: Forward): Promise<readonly HeaderField[]> {
    return parseFields((await scanMessage(this.#open(delivery), { isHashed: false, isKept: false })).header);
  }

  /** A rewritten From fails the DMARC of the proxy address's domain where that does not sign: FORWARD_SIGN does not switch it off. */
  #isSigned({ answers }: Forward): boolean {
    return answers || this.#options.signer.isEnabled;
  }

  async #scan(delivery: Forward): Promise<ScannedMessage> {
    const { rawId, sizeBytes, smtpUtf8 } = delivery;
    const known = this.#bodies.get(rawId);
    const scanned = await scanMessage(this.#open(delivery), {
      isHashed: this.#isSigned(delivery) && !known,
      isKept: sizeBytes <= wholeLimitBytes,
      seeksWideParts: smtpUtf8 && !known,
    });
    const { bodyHash, hasWidePart } = scanned;
    if (bodyHash !== undefined) this.#bodies.set(rawId, { hash: bodyHash, hasWidePart });
    return known ? { ...scanned, hasWidePart: known.hasWidePart } : scanned;
  }

  /**
   * Where the binding does not answer, three changes alone: fields that forge our authentication results go, Delivered-To goes, and
   * From is ours where the author's DMARC would fail.
   */
  #forwardedFields(fields: readonly HeaderField[], delivery: Forward, incoming: IncomingMessage | undefined) {
    const honest = withoutDeliveredTo(withoutForgedResults(fields, this.#options.serviceDomain));
    const tagged = withSubjectTag(honest, delivery.subjectTag);
    const proxyAddress = withAsciiDomain(delivery.proxyAddress);
    if (incoming) return { isFromOurs: true, forwarded: incoming.header(tagged, proxyAddress) };
    const isFromOurs = needsOwnFrom(delivery.authentication, tagged !== honest);
    if (!isFromOurs) return { isFromOurs, forwarded: tagged };
    const ownDomains = [domainOf(proxyAddress), this.#options.serviceDomain];
    return { isFromOurs, forwarded: withOwnFrom(tagged, textAsBytes(proxyAddress), ownDomains) };
  }

  #signaturesOf(forward: ForwardToSign, bodyHash: string | undefined) {
    const { delivery } = forward;
    // Contacts may have gone since an invitation was rewritten: its body is another then.
    const key = delivery.answers
      ? `${delivery.emailId} ${bodyHash ?? this.#bodies.get(delivery.rawId)?.hash ?? ""}`
      : delivery.emailId;
    const known = this.#signatures.get(key);
    if (known) return known;
    const made = this.#sign(forward, bodyHash);
    this.#signatures.set(key, made);
    made.catch(() => this.#signatures.delete(key));
    return made;
  }

  async #sign({ delivery, fields, isFromOurs }: ForwardToSign, known?: string) {
    const { rawId, answers, authentication, authenticationResults } = delivery;
    const { signer, serviceDomain } = this.#options;
    if (!this.#isSigned(delivery)) return [];
    const bodyHash = known ?? this.#bodies.get(rawId)?.hash ?? (await this.#hash(delivery));
    const results = textAsBytes(authenticationResults.replace(/[\r\n]+[ \t]*/g, "\r\n\t"));
    return signer.sign({
      fields,
      bodyHash,
      chainState: authentication?.arc,
      results: results || `${serviceDomain}; none`,
      identity: await this.#identityOf(delivery, isFromOurs),
      needsDkim: answers,
    });
  }

  /**
   * Of the owner's own domain, where the proxy address is on one. With From at that domain it waits for the domain's keys: an address at
   * SERVICE_DOMAIN cannot take its place, since the binding has none there, and the author's own would fail the author's DMARC, or let an
   * answer go past the reverse address. Under the author's own From SERVICE_DOMAIN's keys will do.
   * @throws MissingDkimRecords
   */
  async #identityOf({ proxyAddress: address, ownerId, answers }: Forward, isFromOurs: boolean) {
    const { domainKeys, serviceDomain, signer } = this.#options;
    const domain = domainOf(withAsciiDomain(address));
    if (domain === "" || domain === serviceDomain) return undefined;
    const identity: SigningIdentity = await domainKeys.identityOf(domain, ownerId);
    if ((signer.hasDkim || answers) && isFromOurs && identity.keys.length === 0) throw new MissingDkimRecords(domain);
    return identity;
  }

  async #editedHash({ whole }: ScannedMessage, edits: readonly Edit[], delivery: Forward) {
    const left = whole ? Readable.from(editedPieces(whole, edits)) : editedStream(this.#open(delivery), edits);
    return (await scanMessage(left, { isHashed: true, isKept: false })).bodyHash;
  }

  /** Only where the hash left the cache between the scan and now. */
  async #hash(delivery: Forward): Promise<string> {
    const { bodyHash = "" } = await scanMessage(this.#open(delivery), { isHashed: true, isKept: false });
    return bodyHash;
  }

  async *#open({ rawId, sizeBytes }: Forward): AsyncGenerator<Buffer> {
    const raw = await this.#options.ingress.rawMessage({ rawId }, sizeBytes);
    try {
      // None is taken, but mail that was stored by an earlier release may have some: servers end a line or a message at it.
      for await (const chunk of raw) yield withoutNul(chunk);
    } catch (cause) {
      // Part of a message must never be sent as the whole: this ends the attempt, and it does not count.
      throw cause instanceof ServiceError ? cause : new Outage("ingress", { cause });
    }
  }
}

/**
 * Servers refuse mail that has its recipient there already (RFC 9228 section 4), so that a stranger's guess of the real address would
 * come back as a failure. Loops are found by Received.
 */
function withoutDeliveredTo(fields: readonly HeaderField[]): readonly HeaderField[] {
  const left = fields.filter(({ name }) => name !== "delivered-to");
  return left.length === fields.length ? fields : left;
}

/**
 * By need, not by what the sender declared: some declare it for all mail, and a next hop without it would cost them ASCII mail. A header
 * beyond ASCII that was not declared, the message's own or a part's, goes on as it came.
 * @param hasWidePart false too for a large message that nobody signs: it is not read before it is sent
 */
function needsSmtpUtf8({ address, smtpUtf8: wasDeclared }: Forward, header: readonly Buffer[], hasWidePart: boolean) {
  if (!isAscii(splitAddress(address).localPart)) return true;
  return wasDeclared && (hasWidePart || !header.every((part) => isAsciiBytes(part)));
}
