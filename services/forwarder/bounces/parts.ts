import { readLeaves } from "../../message/mime/leaves.ts";

/** A leaf of a bounce's MIME tree, its transfer encoding undone. */
export interface MessagePart {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly bytes: Buffer;
}

const limits = { entities: 50, depth: 5, headerBytes: 256 * 1024 };

/** The leaves of a message, in order. What is nested too deep is one of them, and what is too much is left out. */
export function readParts(message: Buffer): MessagePart[] {
  return readLeaves(message, limits).map(({ entity, bytes }) => ({ type: entity.content.type, bytes }));
}
