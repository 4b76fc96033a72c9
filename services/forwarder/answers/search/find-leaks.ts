import { fieldText, type HeaderField, unfoldedBody } from "../../../message/header/fields.ts";
import { type MimeNode, readMimeTree } from "../../../message/mime/mime-tree.ts";
import { parameterText, parseParameterized } from "../../../message/mime/parameters.ts";
import { AddressSearch, decodedBody } from "./address-search.ts";
import { cmsContent, isCms } from "./cms-content.ts";
import { embeddedFiles, withoutArmour } from "./embedded-files.ts";
import { messagesInFile } from "./messages-in-file.ts";
import { Room } from "./packed/room.ts";
import { inflated, isPacked, packedContents } from "./packed-contents.ts";
import { isAnyPiece } from "./pieces.ts";
import { rtfText } from "./rtf-text.ts";
import { readingsOf, textsOf } from "./text-readings.ts";
import { uuencodedFiles } from "./uuencoded-files.ts";

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

/** Messages within messages, and files within files. */
const nestingLimit = 5;
/** Files that are written into one text. */
const uuencodedLimit = 20;
/** Messages of one folder. */
const folderLimit = 2_000;
const tooDeep: LeakPlace = "in parts that are nested too deep to be searched";
const encrypted: LeakPlace = "in an encrypted part, which cannot be searched";
const encryptedTypes = new Set(["multipart/encrypted", "application/pgp-encrypted"]);
const messageTypes = new Set(["message/rfc822", "message/global", "message/news"]);
const smimeTypes = new Set(["application/pkcs7-mime", "application/x-pkcs7-mime"]);
const envelopedData = /smime-type\s*=\s*"?(?:authenveloped|enveloped)-data/i;
const inlineEncrypted = "-----BEGIN PGP MESSAGE-----";

/**
 * Where an outgoing message has a real address or a reverse address in any encoding, or what cannot be searched. It looks at all that
 * leaves, so nothing has to be known of how it was made.
 */
export async function findLeaks(message: Buffer, searched: Searched): Promise<LeakPlace[]> {
  const root = readMimeTree(message, answerLimits);
  if (!root) return [tooDeep];
  const search = new AddressSearch(searched.realAddresses, searched.contacts);
  const places = new Set<LeakPlace>();
  if (await isInHeader(message, root, search)) places.add("in the header, such as the subject");
  for (const place of await nodePlaces(message, root, { ...searched, search, nesting: 0, room: new Room() }))
    places.add(place);
  // What no reader shows: before and after the parts, and in their headers.
  if (places.size === 0 && (await search.isIn(message)))
    places.add("in its source, outside of the parts that are shown");
  return [...places];
}

type SearchedNode = Searched & { search: AddressSearch; nesting: number; room: Room };

async function nodePlaces(message: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  const { sendsEncrypted, search } = searched;
  if (isEncrypted(node) && !sendsEncrypted) return [encrypted];
  const places = node.parent && (await isInHeader(message, node, search)) ? [placeOf(node)] : [];
  for (const child of node.children) places.push(...(await nodePlaces(message, child, searched)));
  return node.children.length > 0 ? places : [...places, ...(await bodyPlaces(message, node, searched))];
}

async function bodyPlaces(message: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  const { sendsEncrypted, search } = searched;
  const bytes = await decodedBody(message.subarray(node.bodyStart, node.bodyEnd), node.content.transferEncoding);
  const isText = node.content.type.startsWith("text/");
  searched.room.beginAttachment();
  if (!sendsEncrypted && isText && bytes.includes(inlineEncrypted)) return [encrypted];
  if (await search.isIn(bytes)) return [placeOf(node)];
  if (messageTypes.has(node.content.type)) return messagePlaces(bytes, node, searched);
  if (smimeTypes.has(node.content.type)) return smimePlaces(withoutArmour(bytes) ?? bytes, node, searched);
  if (!isText || isPacked(bytes)) return filePlaces(bytes, node, searched);
  return (await isInText(bytes, node, search)) ? [placeOf(node)] : writtenPlaces(bytes, node, searched);
}

/** In files that are written into a text, or the messages that an attached one is. */
async function writtenPlaces(bytes: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  const places = await uuencodedPlaces(bytes, node, searched);
  if (places.length > 0) return places;
  const messages = node.content.fileName === undefined ? [] : [...messagesInFile(bytes)];
  return messages.length > 0 ? folderPlaces(messages, node, searched) : embeddedPlaces(bytes, node, searched);
}

async function isInText(bytes: Buffer, node: MimeNode, search: AddressSearch): Promise<boolean> {
  const rtf = await rtfText(bytes);
  if (rtf !== undefined && (await search.isIn(Buffer.from(rtf, "utf8")))) return true;
  for (const text of textsOf(bytes, node.content)) {
    if (await search.isIn(Buffer.from(text, "utf8"))) return true;
    for await (const reading of readingsOf(text))
      if (await isAnyPiece(reading, (piece) => search.isShownIn(piece))) return true;
  }
  return false;
}

async function uuencodedPlaces(bytes: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  let count = 0;
  for (const file of uuencodedFiles(bytes)) {
    count += 1;
    if (count > uuencodedLimit) return [morePacked(node)];
    if (await searched.search.isIn(file)) return [placeOf(node)];
    const places = await filePlaces(file, node, searched);
    if (places.length > 0) return places;
  }
  return [];
}

async function embeddedPlaces(bytes: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  const { search, room, nesting } = searched;
  for await (const file of embeddedFiles(bytes)) {
    if (nesting >= nestingLimit) return [tooDeep];
    if (!room.takeEntry()) return [morePacked(node)];
    if (await search.isIn(file)) return [placeOf(node)];
    const places = await filePlaces(file, node, { ...searched, nesting: nesting + 1 });
    if (places.length > 0) return places;
  }
  return [];
}

/** What a file is it says itself: programs attach messages and S/MIME as application/octet-stream too. */
async function filePlaces(
  bytes: Buffer,
  node: MimeNode,
  searched: SearchedNode,
  isNested = false,
): Promise<LeakPlace[]> {
  if (isCms(bytes)) return smimePlaces(bytes, node, searched);
  const messages = [...messagesInFile(bytes)];
  if (messages.length > 0) return folderPlaces(messages, node, searched);
  const places = await packedPlaces(bytes, node, searched, isNested);
  return places.length > 0 || isPacked(bytes) ? places : embeddedPlaces(bytes, node, searched);
}

async function folderPlaces(messages: readonly Buffer[], node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  for (const message of messages.slice(0, folderLimit)) {
    const places = await messagePlaces(message, node, searched);
    if (places.length > 0) return places;
  }
  return messages.length > folderLimit ? [morePacked(node)] : [];
}

/** What is within what is signed or compressed: a message mostly, or a file of its own. */
async function smimePlaces(bytes: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  const cms = cmsContent(bytes);
  if (!cms) return searched.sendsEncrypted ? [] : [encrypted];
  if (!cms.isCompressed) return contentPlaces(cms.content, node, searched);
  const { bytes: content, isWhole } = await inflated(cms.content, searched.room);
  // In a way that is not known.
  if (content.length === 0) return searched.sendsEncrypted ? [] : [encrypted];
  return isWhole ? contentPlaces(content, node, searched) : [morePacked(node)];
}

async function contentPlaces(bytes: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  if (await searched.search.isIn(bytes)) return [placeOf(node)];
  if (searched.nesting >= nestingLimit) return [tooDeep];
  if (isCms(bytes) || isPacked(bytes)) return filePlaces(bytes, node, { ...searched, nesting: searched.nesting + 1 });
  return messagePlaces(bytes, node, searched);
}

/** In the header of an entity as it stands, or in what programs put together of it: they part long file names (RFC 2231 section 3). */
async function isInHeader(message: Buffer, { fields, headerStart, headerEnd }: MimeNode, search: AddressSearch) {
  if (await search.isIn(message.subarray(headerStart, headerEnd))) return true;
  if (fields.some((field) => search.isShownIn(fieldText(field)))) return true;
  const texts = parameterTexts(fields).join("\n");
  return search.isShownIn(texts) || search.isIn(Buffer.from(texts, "utf8"));
}

function parameterTexts(fields: readonly HeaderField[]): string[] {
  return fields.flatMap((field) => {
    const { parameters } = parseParameterized(field.name.startsWith("content-") ? unfoldedBody(field) : "");
    return [...parameters.values()].flatMap((parameter) => parameterText(parameter) ?? []);
  });
}

/** An attached message, part by part. */
async function messagePlaces(bytes: Buffer, node: MimeNode, searched: SearchedNode): Promise<LeakPlace[]> {
  const root = searched.nesting < nestingLimit ? readMimeTree(bytes, answerLimits) : undefined;
  if (!root) return [tooDeep];
  const found = await nodePlaces(bytes, root, { ...searched, nesting: searched.nesting + 1 });
  if (await isInHeader(bytes, root, searched.search)) found.push(placeOf(node));
  const isSearched = !found.some((place) => place === encrypted || place === tooDeep);
  return isSearched && found.length > 0 ? [placeOf(node)] : found;
}

async function packedPlaces(bytes: Buffer, node: MimeNode, searched: SearchedNode, isNested: boolean) {
  const { sendsEncrypted, search, room, nesting } = searched;
  if (nesting >= nestingLimit && isPacked(bytes)) return [tooDeep];
  let isSearched = true;
  let isEncrypted = false;
  for await (const content of packedContents(bytes, room, isNested)) {
    if (await search.isIn(content.bytes)) return [placeOf(node)];
    isSearched &&= content.isWhole;
    isEncrypted ||= content.isEncrypted;
    if (!content.isFile) continue;
    const places = await filePlaces(content.bytes, node, { ...searched, nesting: nesting + 1 }, true);
    if (places.length > 0) return places;
  }
  if (isEncrypted && !sendsEncrypted) return [`${placeOf(node)}, which is encrypted and cannot be searched`];
  return isSearched ? [] : [morePacked(node)];
}

function morePacked(node: MimeNode): LeakPlace {
  return `${placeOf(node)}, which has more packed in it than is searched`;
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
  const type = fields.find(({ name }) => name === "content-type")?.raw ?? "";
  return smimeTypes.has(content.type) && (envelopedData.test(type) || !/smime-type/i.test(type));
}
