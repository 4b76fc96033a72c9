import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Outage } from "../errors.ts";

/** What is larger goes through a file. */
const memoryBytes = 1024 * 1024;

/** Bytes whose size and MD5 are known, to be sent in one request. */
interface Spooled {
  body: Buffer | NodeJS.ReadableStream;
  sizeBytes: number;
  /** Base64, as Content-MD5 has it (RFC 1864). */
  md5: string;
}

/**
 * Reads a source to its end and hands it on with its size: a store wants to know that before the first byte, or takes
 * parts of 5 MiB and more, which is more than a message in transit may hold. The file has no name, so it
 * is gone with the process at the latest.
 */
export async function withSpooled<T>(source: AsyncIterable<Buffer>, use: (spooled: Spooled) => Promise<T>): Promise<T> {
  const hash = createHash("md5");
  const held: Buffer[] = [];
  let sizeBytes = 0;
  let file: FileHandle | undefined;
  try {
    for await (const piece of source) {
      hash.update(piece);
      sizeBytes += piece.length;
      if (!file) held.push(Buffer.from(piece));
      if (!file && sizeBytes > memoryBytes) {
        file = await onDisk(unnamedFile());
        for (const kept of held.splice(0)) await onDisk(file.appendFile(kept));
      } else if (file) await onDisk(file.appendFile(piece));
    }
    const body = file?.createReadStream({ start: 0, autoClose: false }) ?? Buffer.concat(held, sizeBytes);
    return await use({ body, sizeBytes, md5: hash.digest("base64") });
  } finally {
    await file?.close();
  }
}

async function unnamedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "postern-blob-"));
  try {
    return await open(join(folder, "bytes"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A disk that is full or broken is an outage: the message may be taken later. */
function onDisk<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause) => {
    throw new Outage("temporary disk space", { cause });
  });
}
