import { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import type { bindingsContract } from "../../../bindings/contract.ts";
import { domainOf, withAsciiDomain } from "../../../message/address/addr-spec.ts";
import { type HeaderField, textAsBytes } from "../../../message/header/fields.ts";
import type { SealedMessageIds } from "../../../message/header/sealed-message-id.ts";
import { concatBuffers } from "../../../platform/buffers.ts";
import { Semaphore } from "../../../platform/concurrency/semaphore.ts";
import type { Client } from "../../../platform/rpc/contract.ts";
import { isUnverified } from "../../deliveries/authentication.ts";
import type { Forward } from "../../deliveries/delivery.ts";
import type { Edit } from "../../outbound/edits.ts";
import { mailboxLimit, type NamedMailbox, namedMailboxes } from "../named-mailboxes.ts";
import { calendarMailboxes, incomingInvitations, mayInvite, unsigned } from "./incoming-calendar.ts";
import { incomingHeader } from "./incoming-header.ts";
import type { NamedRealAddresses } from "./named-real-addresses.ts";

interface IncomingRewriterOptions {
  bindings: Pick<Client<typeof bindingsContract>, "reverseAddresses">;
  messageIds: SealedMessageIds;
  serviceDomain: string;
  namedRealAddresses: Pick<NamedRealAddresses, "note">;
}

/** A message as it came. */
interface ReceivedMessage {
  readonly fields: readonly HeaderField[];
  /** If it is small enough to be held in memory. */
  readonly whole: Buffer | undefined;
  open(): AsyncIterable<Buffer>;
}

/** What is other about a message that goes to its owner. */
export interface IncomingMessage {
  /** Of its body, in the order in which they stand there. */
  readonly edits: readonly Edit[];
  /** @param proxyAddress as it may stand in the header */
  header(fields: readonly HeaderField[], proxyAddress: string): HeaderField[];
}

/** By address in lower case; "own" for the proxy address. */
type ReverseAddresses = ReadonlyMap<string, string>;

/** Large messages with invitations are in memory while those are read. */
const maxLargeConcurrent = 2;
const maxEmails = 1_000;
const cachedMs = 3_600_000;

/** Headers and invitations of forwards where the binding answers; one call to bindings for all addresses of a message. */
export class IncomingRewriter {
  readonly #options: IncomingRewriterOptions;
  readonly #largeRoom = new Semaphore(maxLargeConcurrent);
  /** By email id; promises, so that targets tried at the same time share them as well. */
  readonly #reverseAddresses = new LRUCache<string, Promise<ReverseAddresses>>({ max: maxEmails, ttl: cachedMs });

  constructor(options: IncomingRewriterOptions) {
    this.#options = options;
  }

  /** @throws Outage while bindings cannot be asked */
  async read({ fields, whole, open }: ReceivedMessage, forward: Forward): Promise<IncomingMessage> {
    await this.#options.namedRealAddresses.note(whole ? () => Readable.from([whole]) : open, forward);
    if (!(await mayInvite(whole ? [whole] : open()))) return this.#read(fields, undefined, forward);
    if (whole) return this.#read(fields, whole, forward);
    return this.#largeRoom.run(async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of open()) chunks.push(chunk);
      return this.#read(fields, concatBuffers(chunks), forward);
    });
  }

  async #read(fields: readonly HeaderField[], message: Buffer | undefined, forward: Forward): Promise<IncomingMessage> {
    const { messageIds, serviceDomain } = this.#options;
    const { ownerId, authentication } = forward;
    const reverseAddresses = await this.#reverseAddressesOf(fields, message, forward);
    const { edits, isUnsigned } = message
      ? await incomingInvitations(message, reverseAddresses)
      : { edits: [], isUnsigned: false };
    return {
      edits,
      header: (given, proxyAddress) =>
        incomingHeader(isUnsigned ? unsigned(given) : given, {
          reverseAddresses,
          proxyAddress: textAsBytes(proxyAddress),
          ownDomains: [domainOf(withAsciiDomain(proxyAddress)), serviceDomain],
          isUnverified: isUnverified(authentication),
          originalId: (messageId) => messageIds.open(ownerId, messageId),
        }),
    };
  }

  /** Once for all targets of an email, whose signatures are shared as well. */
  #reverseAddressesOf(fields: readonly HeaderField[], message: Buffer | undefined, forward: Forward) {
    const { emailId } = forward;
    const known = this.#reverseAddresses.get(emailId);
    if (known) return known;
    const asked = named(fields, message).then((mailboxes) => this.#ask(forward, mailboxes));
    this.#reverseAddresses.set(emailId, asked);
    asked.catch(() => this.#reverseAddresses.delete(emailId));
    return asked;
  }

  async #ask({ bindingId, receivedAt }: Forward, mailboxes: NamedMailbox[]): Promise<ReverseAddresses> {
    const { bindings } = this.#options;
    const mappings = await bindings.reverseAddresses({ bindingId, receivedAt: receivedAt.toISOString(), mailboxes });
    return new Map(
      mappings.flatMap(({ address, reverseAddress, isOwn }) => {
        const side = isOwn ? "own" : reverseAddress && withAsciiDomain(reverseAddress);
        return side === null ? [] : [[address.toLowerCase(), side] as const];
      }),
    );
  }
}

/** Whom a message names, each once; those first who are to be answered, since not all may get a reverse address. */
async function named(fields: readonly HeaderField[], message: Buffer | undefined): Promise<NamedMailbox[]> {
  const byAddress = new Map<string, NamedMailbox>();
  for (const mailbox of [...namedMailboxes(fields), ...(message ? await calendarMailboxes(message) : [])]) {
    const key = mailbox.address.toLowerCase();
    const known = byAddress.get(key);
    const invitesReplies = mailbox.invitesReplies || known?.invitesReplies === true;
    byAddress.set(key, { ...(known ?? mailbox), invitesReplies });
  }
  const all = [...byAddress.values()];
  const [invited, others] = [all.filter((each) => each.invitesReplies), all.filter((each) => !each.invitesReplies)];
  return [...invited, ...others].slice(0, mailboxLimit);
}
