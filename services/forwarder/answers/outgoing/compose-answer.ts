import { comparableAddress, domainOf, withAsciiDomain } from "../../../message/address/addr-spec.ts";
import { formatReverseAddress, reverseToken } from "../../../message/address/reverse-address.ts";
import { isAutomatic } from "../../../message/header/auto-submitted.ts";
import { serializeFields } from "../../../message/header/fields.ts";
import type { SealedMessageIds } from "../../../message/header/sealed-message-id.ts";
import { type MimeNode, readMimeTree } from "../../../message/mime/mime-tree.ts";
import type { AnswerContent, MentionedContact } from "../answer.ts";
import { answerLimits, findLeaks, type LeakPlace } from "../search/find-leaks.ts";
import { mentionedTokens } from "../search/mentioned-tokens.ts";
import { outgoingBody } from "./outgoing-body.ts";
import { outgoingHeader } from "./outgoing-header.ts";

/** A message as it leaves, unsigned. */
export interface ComposedAnswer {
  readonly message: Buffer;
  /** Where it has what must not leave. */
  readonly leaks: readonly LeakPlace[];
  /** It quotes a real address, which is replaced unless its owner lets it leave. */
  readonly quotesRealAddress: boolean;
  /** The contacts that its text names. */
  readonly mentioned: readonly MentionedContact[];
}

interface ComposeOptions {
  readonly messageIds: SealedMessageIds;
  readonly serviceDomain: string;
  /** Somebody wrote a real address of the owner's to the binding: it may be a guess, and what is replaced tells that it is right. */
  readonly isNamed?: boolean;
  /** The contacts of the binding that tokens lead to. */
  contactAddresses(tokens: readonly string[]): Promise<readonly MentionedContact[]>;
}

/** The same raw message and the same contacts give the same octets, at every attempt and in every copy. */
export async function composeAnswer(
  raw: Buffer,
  answer: AnswerContent,
  { messageIds, serviceDomain, contactAddresses, isNamed = false }: ComposeOptions,
): Promise<ComposedAnswer> {
  const root = readMimeTree(raw, answerLimits);
  if (!root)
    return {
      message: Buffer.alloc(0),
      leaks: ["in parts that are nested too deep to be searched"],
      quotesRealAddress: false,
      mentioned: [],
    };
  const { proxyAddress, realAddresses } = answer;
  const known = [...answer.recipients, ...answer.named];
  const tokens = answer.mentioned ? [] : await mentionedTokens(raw, root);
  const mentioned = answer.mentioned ?? (tokens.length === 0 ? [] : await contactAddresses(tokens));
  const contacts = contactsBy([
    ...mentioned.map(({ token, address }) => [formatReverseAddress(token, domainOf(proxyAddress)), address] as const),
    ...known.map(({ reverseAddress, address }) => [reverseAddress, address] as const),
  ]);
  const written = (contactsOutside: ReadonlyMap<string, string>) =>
    writtenWith(contactsOutside, { raw, root, answer, messageIds, serviceDomain });
  const message = await written(contacts);
  // A real address that somebody else wrote and that became a contact goes back like every other would: it is not the owner who names it.
  const ownOnes = [...contacts].filter(([, address]) => isAmong(realAddresses, address));
  const searched =
    ownOnes.length === 0 ? message : await written(new Map([...contacts, ...ownOnes.map(withoutAddress)]));
  const leaks = await findLeaks(searched, { ...answer, contacts: [...contacts.values()] });
  if (!isNamed) return { message, leaks, quotesRealAddress: false, mentioned };
  const keeping = { ...answer, namesKept: true };
  const kept = await writtenWith(contacts, { raw, root, answer: keeping, messageIds, serviceDomain });
  const quotesRealAddress = !kept.equals(message);
  return { message, leaks: quotesRealAddress ? [...leaks, quotedPlace] : leaks, quotesRealAddress, mentioned };
}

const quotedPlace: LeakPlace =
  "in what you quote: somebody wrote it to this address, and would learn from its being replaced that it is yours";

/** By reverse address, whichever notation of an international domain it has: forwards name it in A-labels. */
function contactsBy(pairs: readonly (readonly [reverseAddress: string, address: string])[]): Map<string, string> {
  return new Map(pairs.map(([reverseAddress, address]) => [comparableAddress(reverseAddress), address]));
}

function withoutAddress([reverseAddress]: readonly [string, string]): readonly [string, string] {
  return [reverseAddress, "contact@contact.invalid"];
}

function isAmong(addresses: readonly string[], address: string): boolean {
  const compared = comparableAddress(address);
  return addresses.some((each) => comparableAddress(each) === compared);
}

interface Written {
  readonly raw: Buffer;
  readonly root: MimeNode;
  readonly answer: AnswerContent;
  readonly messageIds: SealedMessageIds;
  readonly serviceDomain: string;
}

/** The message with these addresses for reverse addresses. */
async function writtenWith(
  contacts: ReadonlyMap<string, string>,
  { raw, root, answer, messageIds, serviceDomain }: Written,
): Promise<Buffer> {
  const { ownerId, proxyAddress, hopCount } = answer;
  const proxy = withAsciiDomain(proxyAddress);
  const realAddresses = answer.namesKept ? [] : answer.realAddresses;
  const isByResponder = isAutomatic(root.fields);
  const domain = domainOf(proxy);
  const authorDomain = domainOf(withAsciiDomain(answer.author));
  const replacements = { realAddresses, proxyAddress: proxy, contacts, isAutomatic: isByResponder };
  const contentIds = { authorDomain, proxyDomain: domain, ownAddresses: answer.realAddresses };
  const { contentFields, body } = await outgoingBody(raw, root, replacements, contentIds);
  const others = root.fields.filter(({ name }) => !name.startsWith("content-"));
  const fields = outgoingHeader([...others, ...contentFields], {
    proxyAddress: proxy,
    displayName: answer.displayName,
    serviceDomain,
    isAutomatic: isByResponder,
    authorDomain,
    contactDomain: domainOf(withAsciiDomain(answer.recipients[0]?.address ?? "")),
    outside: (address) => outsideOf(address, answer, contacts),
    isSealed: (messageId) => messageIds.hopCount(messageId) > 0,
    originalId: (messageId) => messageIds.open(ownerId, messageId),
    seal: (messageId) => messageIds.seal(ownerId, messageId, { hopCount, domain }),
  });
  return Buffer.concat([Buffer.from(`${serializeFields(fields)}\r\n`, "latin1"), body]);
}

/** A contact's own address, or the proxy address; never an address of the owner's that the owner wrote. */
function outsideOf(
  address: string,
  { proxyAddress, realAddresses, recipients, named, direction }: AnswerContent,
  contacts: ReadonlyMap<string, string>,
): string | undefined {
  const compared = comparableAddress(address);
  if (isAmong(realAddresses, address)) return undefined;
  if (reverseToken(address) !== undefined) return contacts.get(compared);
  if (withoutTag(compared) === withoutTag(comparableAddress(proxyAddress))) return withAsciiDomain(proxyAddress);
  const isKnown = [...recipients, ...named].some((contact) => comparableAddress(contact.address) === compared);
  return isKnown || direction === "send" ? address : undefined;
}

function withoutTag(address: string): string {
  return address.replace(/^([^+@]+)\+[^@]*@/, "$1@");
}
