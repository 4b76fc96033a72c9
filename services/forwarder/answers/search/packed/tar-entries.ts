import { ReadableStream, type ReadableWritablePair } from "node:stream/web";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import type { Entry } from "./entry.ts";
import { isMediaName } from "./zip-entries.ts";

/** POSIX.1-1988 and later, and GNU: at this place of the first header. */
const [magic, magicAt] = ["ustar", 257];

/** As Node's typings know it, and not the browser's. */
type TarDecoder = ReadableWritablePair<ParsedTarEntry, Uint8Array>;

export function isTar(bytes: Buffer): boolean {
  return bytes.toString("latin1", magicAt, magicAt + magic.length) === magic;
}

/** The files in a tar file; of one that is damaged those before the damage. */
export async function* tarEntries(bytes: Buffer): AsyncGenerator<Entry> {
  const file = ReadableStream.from<Uint8Array>([bytes]);
  const entries = file.pipeThrough(createTarDecoder() as TarDecoder);
  try {
    for await (const { header, body } of entries) {
      const pieces: Uint8Array[] = [];
      for await (const piece of body as ReadableStream<Uint8Array>) pieces.push(piece);
      yield { data: Buffer.concat(pieces), isMedia: isMediaName(header.name) };
    }
  } catch {
    // Nobody can unpack what is beyond the damage either.
    return;
  }
}
