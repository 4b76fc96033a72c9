import { fieldsNamed, headerEnd, readFields, unfoldedValue } from "./header-section.ts";

/** A leaf of a MIME tree (RFC 2045), its transfer encoding undone; its text one character an octet. */
export interface MessagePart {
  /** In lower case, without parameters. */
  type: string;
  content: string;
}

const depthLimit = 5;
const partsLimit = 50;

/** The leaves of a message, in order. What is nested too deep, or is one too many, is left out. */
export function readParts(message: Buffer): MessagePart[] {
  return leaves(message.toString("latin1"), depthLimit).slice(0, partsLimit);
}

function leaves(entity: string, depth: number): MessagePart[] {
  const bytes = Buffer.from(entity, "latin1");
  const end = headerEnd(bytes) ?? bytes.length;
  const fields = readFields(bytes.subarray(0, end));
  const value = (name: string) => fieldsNamed(fields, name).map(unfoldedValue)[0] ?? "";
  const contentType = value("content-type");
  const type = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(contentType)?.[1]?.toLowerCase() ?? "text/plain";
  const body = entity.slice(end + 2);
  const boundary = boundaryOf(contentType);
  if (!type.startsWith("multipart/") || boundary === undefined)
    return [{ type, content: decoded(body, value("content-transfer-encoding")) }];
  if (depth === 0) return [];
  return bodyParts(body, boundary).flatMap((part) => leaves(part, depth - 1));
}

function boundaryOf(contentType: string): string | undefined {
  const match = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(contentType);
  return match?.[1]?.replace(/\\(.)/g, "$1") ?? match?.[2];
}

/** What lies between the delimiters (RFC 2046 section 5.1.1); the last part may lack its end. */
function bodyParts(body: string, boundary: string): string[] {
  const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
  const end = parts.findIndex((part) => part.startsWith("--"));
  const whole = end === -1 ? parts : parts.slice(0, end);
  return whole.map((part) => part.slice(part.indexOf("\r\n") + 2));
}

function decoded(body: string, encoding: string): string {
  switch (encoding.trim().toLowerCase()) {
    case "base64":
      return Buffer.from(body, "base64").toString("latin1");
    case "quoted-printable":
      return body
        .replace(/=[ \t]*\r\n/g, "")
        .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    default:
      return body;
  }
}
