import { encode, wrap } from "nodemailer/lib/qp";
import { decodeCharset } from "../../message/coding/charset.ts";
import { type HeaderField, headerField, serializeFields } from "../../message/header/fields.ts";
import type { MimeNode } from "../../message/mime/mime-tree.ts";
import { parseParameterized } from "../../message/mime/parameters.ts";
import { type Edit, editedPieces } from "../outbound/edits.ts";
import { decodedBody } from "./address-search.ts";
import { type ContentIdRewriting, withOutsideContentId, withOutsideReferences } from "./content-ids.ts";
import {
  calendarTypes,
  type Replacements,
  replaceInCalendar,
  replaceInHtml,
  replaceInText,
} from "./replace-addresses.ts";

/** What leaves of a message below its header. */
interface OutgoingBody {
  /** The fields of the message itself that say what its body is. */
  readonly contentFields: readonly HeaderField[];
  readonly body: Buffer;
}

interface Rewriting extends Replacements, ContentIdRewriting {}

const replacers: Readonly<Record<string, (text: string, rewriting: Rewriting) => string>> = {
  "text/plain": (text, rewriting) => withOutsideReferences(replaceInText(text, rewriting), rewriting),
  "text/html": (html, rewriting) => withOutsideReferences(replaceInHtml(html, rewriting), rewriting),
  ...Object.fromEntries([...calendarTypes].map((type) => [type, replaceInCalendar])),
};
const untouchedTypes = new Set(["multipart/signed", "multipart/encrypted"]);
/** Larger texts are nobody's writing. */
const textLimitBytes = 4 * 1024 * 1024;

/**
 * The body with addresses in its quoted parts and the author's domain in identifiers of parts replaced, and with the fields of its
 * entities that say what they are alone. Signed and encrypted parts stay as they are, octet for octet.
 */
export function outgoingBody(message: Buffer, root: MimeNode, rewriting: Rewriting): OutgoingBody {
  const rewritten = rewrittenLeaf(message, root, rewriting);
  if (rewritten) return { contentFields: rewritten.fields, body: rewritten.body };
  const edits = isUntouched(root) ? [] : root.children.flatMap((child) => editsOf(message, child, rewriting));
  return {
    contentFields: contentFields(root, rewriting),
    body: Buffer.concat(editedPieces(message, edits, root.bodyStart, root.bodyEnd)),
  };
}

function editsOf(message: Buffer, node: MimeNode, rewriting: Rewriting): Edit[] {
  const rewritten = rewrittenLeaf(message, node, rewriting);
  if (rewritten) {
    const header = Buffer.from(`${serializeFields(rewritten.fields)}\r\n`, "latin1");
    return [{ from: node.headerStart, to: node.bodyEnd, bytes: Buffer.concat([header, rewritten.body]) }];
  }
  const kept = contentFields(node, rewriting);
  const isWhole = kept.length === node.fields.length && kept.every(({ raw }, at) => raw === node.fields[at]?.raw);
  const header: Edit[] = isWhole
    ? []
    : [{ from: node.headerStart, to: node.headerEnd, bytes: Buffer.from(serializeFields(kept), "latin1") }];
  const inner = isUntouched(node) ? [] : node.children.flatMap((child) => editsOf(message, child, rewriting));
  return [...header, ...inner];
}

/** Undefined for what is no text, or has nothing to replace. */
function rewrittenLeaf(message: Buffer, node: MimeNode, rewriting: Rewriting) {
  const { type, charset, transferEncoding, disposition, fileName } = node.content;
  const replace = replacers[type];
  const isWritten = calendarTypes.has(type) || (disposition !== "attachment" && fileName === undefined);
  if (!replace || !isWritten || node.bodyEnd - node.bodyStart > textLimitBytes) return undefined;
  const bytes = decodedBody(message.subarray(node.bodyStart, node.bodyEnd), transferEncoding);
  const text = decodeCharset(bytes, charset ?? "");
  const replaced = text === undefined ? undefined : replace(text, rewriting);
  if (replaced === undefined || replaced === text) return undefined;
  const others = contentFields(node, rewriting).filter(
    ({ name }) => !["content-type", "content-transfer-encoding"].includes(name),
  );
  return {
    fields: [contentType(node), headerField("Content-Transfer-Encoding", "quoted-printable"), ...others],
    body: Buffer.from(wrap(encode(Buffer.from(replaced, "utf8")), 76), "latin1"),
  };
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

function contentFields({ fields }: MimeNode, rewriting: Rewriting): HeaderField[] {
  return fields
    .filter(({ name }) => name.startsWith("content-"))
    .map((field) => withOutsideContentId(field, rewriting));
}

function isUntouched({ content }: MimeNode): boolean {
  return untouchedTypes.has(content.type);
}
