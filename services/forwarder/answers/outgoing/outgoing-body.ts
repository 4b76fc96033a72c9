import { charsetDecoding, decodeCharset } from "../../../message/coding/charset.ts";
import { type HeaderField, headerField, serializeFields } from "../../../message/header/fields.ts";
import type { MimeNode } from "../../../message/mime/mime-tree.ts";
import { parseParameterized } from "../../../message/mime/parameters.ts";
import { type Edit, editedPieces } from "../../outbound/edits.ts";
import { decodedBody } from "../search/address-search.ts";
import { quotedPrintableText } from "../search/quoted-printable-text.ts";
import {
  calendarTypes,
  type Replacements,
  replaceInCalendar,
  replaceInHtml,
  replaceInText,
} from "../search/replace-addresses.ts";
import { textsOf } from "../search/text-readings.ts";
import { OutsideBoundaries } from "./boundaries.ts";
import {
  type ContentIdRewriting,
  changedIds,
  refersToOneOf,
  withOutsideContentId,
  withOutsideReferences,
} from "./content-ids.ts";

/** What leaves of a message below its header. */
interface OutgoingBody {
  /** The fields of the message itself that say what its body is. */
  readonly contentFields: readonly HeaderField[];
  readonly body: Buffer;
}

interface Rewriting extends Replacements {
  /** Undefined where identifiers of parts stay as they are. */
  readonly contentIds?: ContentIdRewriting | undefined;
  readonly boundaries: OutsideBoundaries;
}

const replacers: Readonly<Record<string, (text: string, replacements: Replacements) => string | Promise<string>>> = {
  "text/plain": replaceInText,
  "text/html": replaceInHtml,
  ...Object.fromEntries([...calendarTypes].map((type) => [type, replaceInCalendar])),
};
const untouchedTypes = new Set(["multipart/signed", "multipart/encrypted"]);
/** Of parts that may refer to others; what is packed in one is a file of its own. */
const textTypes = /^text\/|[/+](?:ics|json|xml)$/;
/** Larger texts are nobody's writing. */
const textLimitBytes = 4 * 1024 * 1024;

/**
 * The body with addresses in its quoted parts and the author's domain in identifiers of parts and in boundaries replaced, and with the fields of its
 * entities that say what they are alone. Signed and encrypted parts stay as they are, octet for octet.
 */
export async function outgoingBody(
  message: Buffer,
  root: MimeNode,
  replacements: Replacements,
  contentIds: ContentIdRewriting,
): Promise<OutgoingBody> {
  // One that is changed, and not in all that refers to it, is a picture that is not shown.
  const ids = new Set(changedIdsIn(root, contentIds));
  const keepsContentIds = ids.size > 0 && (await keepsReference(message, root, ids));
  const rewriting: Rewriting = {
    ...replacements,
    contentIds: keepsContentIds ? undefined : contentIds,
    boundaries: new OutsideBoundaries(message, contentIds.ownAddresses),
  };
  const rewritten = await rewrittenLeaf(message, root, rewriting);
  if (rewritten) return { contentFields: rewritten.fields, body: rewritten.body };
  const edits = await innerEdits(message, root, rewriting);
  return {
    contentFields: contentFields(root, rewriting),
    body: Buffer.concat(editedPieces(message, edits, root.bodyStart, root.bodyEnd)),
  };
}

async function innerEdits(message: Buffer, node: MimeNode, rewriting: Rewriting): Promise<Edit[]> {
  const edits = rewriting.boundaries.edits(node);
  if (isUntouched(node)) return edits;
  for (const child of node.children) edits.push(...(await editsOf(message, child, rewriting)));
  return edits.sort((one, other) => one.from - other.from);
}

async function editsOf(message: Buffer, node: MimeNode, rewriting: Rewriting): Promise<Edit[]> {
  const rewritten = await rewrittenLeaf(message, node, rewriting);
  if (rewritten) {
    const header = Buffer.from(`${serializeFields(rewritten.fields)}\r\n`, "latin1");
    return [{ from: node.headerStart, to: node.bodyEnd, bytes: Buffer.concat([header, rewritten.body]) }];
  }
  const kept = contentFields(node, rewriting);
  const isWhole = kept.length === node.fields.length && kept.every(({ raw }, at) => raw === node.fields[at]?.raw);
  const header: Edit[] = isWhole
    ? []
    : [{ from: node.headerStart, to: node.headerEnd, bytes: Buffer.from(serializeFields(kept), "latin1") }];
  return [...header, ...(await innerEdits(message, node, rewriting))];
}

/** Undefined for what is no text, or has nothing to replace. */
async function rewrittenLeaf(message: Buffer, node: MimeNode, rewriting: Rewriting) {
  const text = isWrittenText(node)
    ? decodeCharset(await bytesOf(message, node), node.content.charset ?? "")
    : undefined;
  if (text === undefined) return undefined;
  const outside = (await replacers[node.content.type]?.(text, rewriting)) ?? text;
  const { contentIds } = rewriting;
  const replaced = contentIds && mayRefer(node) ? withOutsideReferences(outside, contentIds) : outside;
  if (replaced === text) return undefined;
  const others = contentFields(node, rewriting).filter(
    ({ name }) => !["content-type", "content-transfer-encoding"].includes(name),
  );
  return {
    fields: [contentType(node), headerField("Content-Transfer-Encoding", "quoted-printable"), ...others],
    body: await quotedPrintableText(Buffer.from(replaced, "utf8")),
  };
}

/** What its author wrote, and can be read and written anew. */
function isWrittenText({ content, bodyStart, bodyEnd }: MimeNode): boolean {
  const { type, charset, disposition, fileName } = content;
  const isWritten = calendarTypes.has(type) || (disposition !== "attachment" && fileName === undefined);
  const isRead = bodyEnd - bodyStart <= textLimitBytes && charsetDecoding(charset ?? "") !== undefined;
  return replacers[type] !== undefined && isWritten && isRead;
}

/** The identifiers of parts that are others outside. */
function changedIdsIn(node: MimeNode, contentIds: ContentIdRewriting): string[] {
  const own = node.fields.flatMap((field) => changedIds(field, contentIds));
  return isUntouched(node) ? own : [...own, ...node.children.flatMap((child) => changedIdsIn(child, contentIds))];
}

/** Whether a text that is not rewritten refers to a part by one of these identifiers. */
async function keepsReference(
  message: Buffer,
  node: MimeNode,
  ids: ReadonlySet<string>,
  isWithinUntouched = false,
): Promise<boolean> {
  const isKept = isWithinUntouched || isUntouched(node);
  for (const child of node.children) if (await keepsReference(message, child, ids, isKept)) return true;
  const isRewritten = !isKept && isWrittenText(node) && mayRefer(node);
  if (node.children.length > 0 || isRewritten || !textTypes.test(node.content.type)) return false;
  const bytes = await bytesOf(message, node);
  return textsOf(bytes, node.content).some((text) => refersToOneOf(ids, text));
}

/** Lines of calendars are folded, references too, so that those stay as they are. */
function mayRefer({ content }: MimeNode): boolean {
  return !calendarTypes.has(content.type);
}

function bytesOf(message: Buffer, { bodyStart, bodyEnd, content }: MimeNode): Promise<Buffer> {
  return decodedBody(message.subarray(bodyStart, bodyEnd), content.transferEncoding);
}

/** As it was, in UTF-8. */
function contentType({ fields, content }: MimeNode): HeaderField {
  const given = fields.find(({ name }) => name === "content-type");
  const { parameters } = parseParameterized(
    given ? given.raw.slice(given.raw.indexOf(":") + 1).replaceAll(/\r?\n/g, "") : "",
  );
  const kept = ["format", "delsp", "method"].flatMap((name) => {
    const value = parameters.get(name)?.bytes.trim() ?? "";
    return /^[\w-]{1,40}$/.test(value) ? [`; ${name}=${value}`] : [];
  });
  return headerField("Content-Type", `${content.type}; charset=utf-8${kept.join("")}`);
}

function contentFields({ fields }: MimeNode, { contentIds, boundaries }: Rewriting): HeaderField[] {
  const kept = fields.filter(({ name }) => name.startsWith("content-")).map((field) => boundaries.field(field));
  return contentIds ? kept.map((field) => withOutsideContentId(field, contentIds)) : kept;
}

function isUntouched({ content }: MimeNode): boolean {
  return untouchedTypes.has(content.type);
}
