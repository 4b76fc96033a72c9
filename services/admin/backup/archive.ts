import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ReadableWritablePair, ReadableStream as WebReadableStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from "modern-tar";
import { Refusal } from "../../platform/errors.ts";

/** A file of an archive. */
export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Little more than copying costs; the best level takes five times as long for a twentieth less. */
const compressionLevel = 3;
/** Readable by its owner alone: it holds mail, and keys. */
const ownerOnly = 0o600;

/**
 * Writes a gzip-compressed tar archive; under its name only once it is whole and on the disk.
 * @throws what `entries` throws; Refusal for a file that cannot be written
 */
export async function writeArchive(path: string, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  const partial = `${path}.partial`;
  const file = createWriteStream(partial, { flags: "wx", mode: ownerOnly, flush: true });
  const { readable, controller } = createTarPacker();
  const pack = async () => {
    try {
      for await (const { name, bytes } of entries) {
        const writer = controller.add({ name, size: bytes.length, mode: ownerOnly }).getWriter();
        await writer.write(bytes);
        await writer.close();
      }
      controller.finalize();
    } catch (error) {
      controller.error(error);
      throw error;
    }
  };
  try {
    const tar = Readable.fromWeb(readable as WebReadableStream);
    await Promise.all([pipeline(tar, createGzip({ level: compressionLevel }), file), pack()]);
    await rename(partial, path);
  } catch (error) {
    const { code, path: at, message } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") await rm(partial, { force: true });
    if (at === undefined && code !== "ENOSPC") throw error;
    const advice =
      code === "EEXIST" ? "; another backup is being written, or one was killed: remove it if none is" : "";
    throw new Refusal("ValidationFailed", {
      public: `${path} could not be written: ${message}${advice}`,
      cause: error,
    });
  }
}

/** As Node's typings know it, and not the browser's. */
type TarDecoder = ReadableWritablePair<ParsedTarEntry, Uint8Array>;

/** Reads an archive, an entry at a time. @throws for one that is damaged or was cut. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry, void> {
  const bytes = createGunzip();
  // A fault of either ends both, and so the reading below.
  pipeline(createReadStream(path), bytes).catch(() => undefined);
  // Not Readable.toWeb, whose errors say nothing.
  const tar = WebReadableStream.from<Uint8Array>(bytes);
  const entries = tar.pipeThrough(createTarDecoder({ strict: true }) as TarDecoder);
  for await (const { header, body } of entries) {
    const pieces: Uint8Array[] = [];
    for await (const piece of body as WebReadableStream<Uint8Array>) pieces.push(piece);
    yield { name: header.name, bytes: Buffer.concat(pieces) };
  }
}
