// What bounces and feedback reports have in common: both are a multipart/report (RFC 6522), or look like one.

import type { ingressContract } from "../../ingress/contract.ts";
import { type HeaderField, parseFields } from "../../message/header/fields.ts";
import { splitMessage } from "../../message/header/section.ts";
import { readLeaves } from "../../message/mime/leaves.ts";
import { readBeginning } from "../../platform/buffers.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";

/** A leaf of a report's MIME tree, its transfer encoding undone. */
export interface MessagePart {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** A report comes before the message that it is about, of which no more is read. */
const readLimitBytes = 512 * 1024;
const partLimits = { entities: 50, depth: 5, headerBytes: 256 * 1024 };

/** The beginning of a message that may be a report. @throws Outage, or Refusal NotFound */
export async function readReportBeginning(
  ingress: StreamClient<typeof ingressContract>,
  rawId: string,
): Promise<Buffer> {
  return readBeginning(await ingress.rawMessage({ rawId }), readLimitBytes);
}

/** Types of the part with the returned message (RFC 6522 section 3, RFC 6533 section 4), all of it or its header alone. */
const returnedTypes = ["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"];

/** The header section of the message that a report returns; empty if it returns none. */
export function returnedHeader(report: Buffer): HeaderField[] {
  const part = readParts(report).find(({ type }) => returnedTypes.includes(type));
  return part ? parseFields(splitMessage(part.bytes).header) : [];
}

/** The leaves of a message, in order. What is nested too deep is one of them, and what is too much is left out. */
export function readParts(message: Buffer): MessagePart[] {
  return readLeaves(message, partLimits).map(({ entity, bytes }) => ({ type: entity.content.type, bytes }));
}
