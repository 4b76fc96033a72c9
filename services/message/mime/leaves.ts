// The leaves of a message that is held in memory: RFC 2045, RFC 2046.

import type { ByteDecoder } from "../coding/decoder.ts";
import { transferDecoder } from "../coding/transfer-encoding.ts";
import type { Entity, MimeLimits } from "./entity.ts";
import { MimeParser } from "./mime-parser.ts";

/** An entity that is no multipart. */
export interface Leaf {
  readonly entity: Entity;
  /** Its body, the transfer encoding undone. */
  readonly bytes: Buffer;
}

/** In the order they stand in. What is over a limit is left out, or one leaf. */
export function readLeaves(message: Buffer, limits: MimeLimits): Leaf[] {
  const leaves: Leaf[] = [];
  let decoder: ByteDecoder | undefined;
  let pieces: Buffer[] = [];
  const parser = new MimeParser(limits);
  for (const event of [...parser.write(message), ...parser.end()]) {
    if (event.entity.isMultipart) continue;
    if (event.kind === "begin") {
      decoder = transferDecoder(event.entity.content.transferEncoding);
      pieces = [];
    } else if (event.kind === "bytes") pieces.push((decoder as ByteDecoder).write(event.bytes));
    else leaves.push({ entity: event.entity, bytes: Buffer.concat([...pieces, (decoder as ByteDecoder).end()]) });
  }
  return leaves;
}
