// Components (.iwa) of documents of Pages, Numbers and Keynote: chunks in Snappy's format (format_description.txt of Google's library), each
// behind an octet 0 and its length in three.

const headerBytes = 4;
/** A reference of three octets may stand for 64. */
const mostTimes = 22;
const longestLength = 5;

interface Tag {
  /** Where the next one stands. */
  readonly next: number;
  readonly length: number;
  /** How far back what it refers to is; undefined where what it says stands in it. */
  readonly distance?: number;
}

/** What a component says, as much as there is room for; of one that is broken what comes before it shows. */
export function fromIworkComponent(component: Buffer, room: number): Buffer {
  const written = Buffer.alloc(Math.min(room, component.length * mostTimes));
  let end = 0;
  for (let at = 0; at + headerBytes <= component.length && component[at] === 0; ) {
    const to = at + headerBytes + component.readUIntLE(at + 1, headerBytes - 1);
    const start = end;
    end = decompress(component.subarray(at + headerBytes, to), written, start);
    // Of chunks that say nothing there could be more than are worth reading.
    if (end === start || end === written.length) break;
    at = to;
  }
  return written.subarray(0, end);
}

/** @returns the end of what is written */
function decompress(chunk: Buffer, written: Buffer, start: number): number {
  let end = start;
  for (let at = firstTag(chunk); at < chunk.length && end < written.length; ) {
    const { next, length, distance } = tagAt(chunk, at);
    if (distance === undefined) end += chunk.copy(written, end, next - length, next);
    else if (distance === 0 || distance > end - start) return end;
    else
      for (const until = Math.min(written.length, end + length); end < until; end += 1)
        written[end] = written[end - distance] as number;
    at = next;
  }
  return end;
}

/** Before it stands how long all is that the chunk says, in octets of which the last one alone is below 128. */
function firstTag(chunk: Buffer): number {
  const last = chunk.subarray(0, longestLength).findIndex((octet) => octet < 0x80);
  return last === -1 ? chunk.length : last + 1;
}

function tagAt(chunk: Buffer, at: number): Tag {
  const tag = chunk[at] as number;
  const kind = tag & 3;
  if (kind === 0) return literalAt(chunk, at);
  if (kind === 1)
    return { next: at + 2, length: 4 + ((tag >> 2) & 7), distance: ((tag >> 5) << 8) | (chunk[at + 1] ?? 0) };
  const distanceBytes = kind === 2 ? 2 : 4;
  return { next: at + 1 + distanceBytes, length: 1 + (tag >> 2), distance: numberAt(chunk, at + 1, distanceBytes) };
}

/** From 61 on it says in how many octets the length stands. */
function literalAt(chunk: Buffer, at: number): Tag {
  const said = (chunk[at] as number) >> 2;
  const lengthBytes = Math.max(0, said - 59);
  const length = 1 + (lengthBytes === 0 ? said : numberAt(chunk, at + 1, lengthBytes));
  return { next: at + 1 + lengthBytes + length, length };
}

/** Zero where it is cut. */
function numberAt(chunk: Buffer, at: number, bytes: number): number {
  return at + bytes <= chunk.length ? chunk.readUIntLE(at, bytes) : 0;
}
