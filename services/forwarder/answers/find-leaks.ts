import { mentionsReverseAddress, reverseAddressPattern, reverseToken } from "../../message/address/reverse-address.ts";
import { type MimeNode, readMimeTree } from "../../message/mime/mime-tree.ts";
import { AddressSearch, decodedBody } from "./address-search.ts";
import { packedContents } from "./packed-contents.ts";
import { isReadAs, partReadings, textsOf } from "./text-readings.ts";

/** Where in a message something is that must not leave, in words for its author. */
export type LeakPlace = string;

interface Searched {
  readonly realAddresses: readonly string[];
  /** Encrypted parts may leave, though nobody can search them. */
  readonly sendsEncrypted: boolean;
  /** Addresses of contacts, which may have a real address in them. */
  readonly contacts: readonly string[];
}

export const answerLimits = { entities: 500, depth: 20, headerBytes: 256 * 1024 };

const encryptedTypes = new Set(["multipart/encrypted", "application/pgp-encrypted"]);
const envelopedData = /smime-type\s*=\s*"?(?:authenveloped|enveloped)-data/i;
const inlineEncrypted = "-----BEGIN PGP MESSAGE-----";

/**
 * Where an outgoing message has a real address in any encoding, a reverse address, or what cannot be searched. It looks at all that
 * leaves, so nothing has to be known of how it was made.
 */
export async function findLeaks(message: Buffer, searched: Searched): Promise<LeakPlace[]> {
  const root = readMimeTree(message, answerLimits);
  if (!root) return ["in parts that are nested too deep to be searched"];
  const search = new AddressSearch(searched.realAddresses, searched.contacts);
  const places = new Set<LeakPlace>();
  const header = message.subarray(0, root.headerEnd);
  if ((await search.isIn(header)) || mentionsReverseAddress(header.toString("latin1")))
    places.add("in the header, such as the subject");
  for (const place of await nodePlaces(message, root, { ...searched, search })) places.add(place);
  // What no reader shows: before and after the parts, and in their headers.
  if (places.size === 0 && (await search.isIn(message)))
    places.add("in its source, outside of the parts that are shown");
  return [...places];
}

type SearchedNode = Searched & { search: AddressSearch };

async function nodePlaces(message: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  const { sendsEncrypted, search } = searched;
  if (isEncrypted(node) && !sendsEncrypted) return ["in an encrypted part, which cannot be searched"];
  const isInHeader = node.parent && (await search.isIn(message.subarray(node.headerStart, node.headerEnd)));
  const places = isInHeader ? [placeOf(node)] : [];
  for (const child of node.children) places.push(...(await nodePlaces(message, child, searched)));
  return node.children.length > 0 ? places : [...places, ...(await bodyPlaces(message, node, searched))];
}

async function bodyPlaces(message: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  const { sendsEncrypted, search } = searched;
  const bytes = decodedBody(message.subarray(node.bodyStart, node.bodyEnd), node.content.transferEncoding);
  const isText = node.content.type.startsWith("text/");
  if (!sendsEncrypted && isText && bytes.includes(inlineEncrypted))
    return ["in an encrypted part, which cannot be searched"];
  if (await search.isIn(bytes)) return [placeOf(node)];
  if (!isText) return packedPlaces(bytes, node, searched);
  for (const text of textsOf(bytes, node.content)) {
    const isFound =
      (await search.isIn(Buffer.from(text, "utf8"))) ||
      isReadAs(text, (reading) => search.isShownIn(reading) || mentionsReverseAddress(reading));
    if (isFound) return [placeOf(node)];
  }
  return [];
}

async function packedPlaces(
  bytes: Buffer,
  node: MimeNode,
  { sendsEncrypted, search }: SearchedNode,
): Promise<LeakPlace[]> {
  let isSearched = true;
  let isEncrypted = false;
  for await (const content of packedContents(bytes)) {
    if (await search.isIn(content.bytes)) return [placeOf(node)];
    isSearched &&= content.isWhole;
    isEncrypted ||= content.isEncrypted;
  }
  if (isEncrypted && !sendsEncrypted) return [`${placeOf(node)}, which is encrypted and cannot be searched`];
  return isSearched ? [] : [`${placeOf(node)}, which has more packed in it than is searched`];
}

function placeOf(node: MimeNode): LeakPlace {
  const { type, fileName, disposition } = node.content;
  for (let each: MimeNode | undefined = node; each; each = each.parent)
    if (each.content.type === "multipart/signed") return "in a signed part";
  if (type === "application/pgp-keys") return "in a key";
  if (fileName !== undefined) return `in the attachment "${shownName(fileName)}"`;
  return type.startsWith("text/") && disposition !== "attachment" ? "in the text that you wrote" : "in an attachment";
}

/** Its name may have the address in it. */
function shownName(fileName: string): string {
  return fileName.replaceAll(/[\p{Cc}"]/gu, " ").slice(0, 80);
}

function isEncrypted({ content, fields }: MimeNode): boolean {
  if (encryptedTypes.has(content.type)) return true;
  const isSmime = content.type === "application/pkcs7-mime" || content.type === "application/x-pkcs7-mime";
  const type = fields.find(({ name }) => name === "content-type")?.raw ?? "";
  return isSmime && (envelopedData.test(type) || !/smime-type/i.test(type));
}

/** Tokens of reverse addresses that a message mentions anywhere in its texts, for their contacts to be looked up. */
export function mentionedTokens(message: Buffer, root: MimeNode): string[] {
  const tokens = new Set<string>();
  const visit = (node: MimeNode): void => {
    node.children.forEach(visit);
    if (node.children.length > 0 || !node.content.type.startsWith("text/")) return;
    const bytes = decodedBody(message.subarray(node.bodyStart, node.bodyEnd), node.content.transferEncoding);
    for (const reading of partReadings(bytes, node.content))
      for (const [found] of reading.matchAll(reverseAddressPattern)) {
        const token = reverseToken(found);
        if (token) tokens.add(token);
      }
  };
  visit(root);
  return [...tokens].slice(0, 1_000);
}
