import { unfoldedBody } from "../header/fields.ts";
import type { Entity, MimeEvent, MimeLimits } from "../mime/entity.ts";
import { MimeParser } from "../mime/mime-parser.ts";

export const limits: MimeLimits = { entities: 100, depth: 10, headerBytes: 10_000 };

/** An entity with what came of it; of a multipart its bytes are what stands outside of its parts. */
interface Node {
  type: string;
  subject: string | undefined;
  bytes: string;
  parts: Node[];
}

export function parse(
  message: string | Buffer,
  cuts: readonly number[] = [],
  given = limits,
): { root: Node; exceededLimit: string | undefined } {
  const bytes = Buffer.from(message as string, "latin1");
  const parser = new MimeParser(given);
  const nodes = new Map<Entity, Node>();
  const collect = (events: readonly MimeEvent[]) => {
    for (const event of events) {
      if (event.kind === "begin") addNode(nodes, event.entity);
      else if (event.kind === "bytes") (nodes.get(event.entity) as Node).bytes += event.bytes.toString("latin1");
    }
  };
  const places = [0, ...[...cuts].filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length];
  for (const [index, to] of places.slice(1).entries()) collect(parser.write(bytes.subarray(places[index], to)));
  collect(parser.end());
  const [root] = nodes.values();
  return { root: root as Node, exceededLimit: parser.exceededLimit };
}

function addNode(nodes: Map<Entity, Node>, entity: Entity): void {
  const subject = entity.fields.find(({ name }) => name === "subject");
  const node = { type: entity.content.type, subject: subject && unfoldedBody(subject), bytes: "", parts: [] };
  nodes.set(entity, node);
  if (entity.parent) nodes.get(entity.parent)?.parts.push(node);
}

/** Type and bytes of the leaves, in order. */
export const leaves = (node: Node): [string, string][] =>
  node.parts.length > 0 || node.type.startsWith("multipart/") ? node.parts.flatMap(leaves) : [[node.type, node.bytes]];
export const lines = (...parts: string[]) => `${parts.join("\r\n")}\r\n`;
export const mixed = (boundary: string) => `Content-Type: multipart/mixed; boundary="${boundary}"`;
