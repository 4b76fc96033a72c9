import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { uuidBytes } from "../../db/binary-values.ts";
import { Outage } from "../../errors.ts";

/** Where a frame begins: the segment's number, and how many octets of it come before. */
export interface FramePlace {
  readonly segment: number;
  readonly offset: number;
}

/** A blob as its row says it lies in a segment. */
export interface FramedBlob extends FramePlace {
  readonly id: string;
  readonly sizeBytes: number;
}

const magic = Buffer.from("PSF1", "latin1");
const idAt = 8;
const sizeAt = 24;
/** Magic; a checksum (CRC-32) of all that follows it, the bytes included; the blob's id; the size of its bytes. */
export const frameHeadBytes = 28;

/**
 * A frame is not as a row speaks of it: it was cut, overwritten, or is another's, or the disk does not give it, or its file is gone. As an
 * object that is missing in a bucket it may come back, so that nothing is given up for it.
 */
export class DamagedFrame extends Outage {
  constructor({ id, segment, offset }: FramedBlob, cause?: unknown) {
    super("message files", { operator: `blob ${id} is damaged at ${offset} of segment ${segment}`, cause });
  }
}

/** What the system says of a file that is lost, or of a disk that is; anything else, as too many open files, says nothing about the frame. */
const lossCodes = ["ENOENT", "EIO"];

/** What it means for a blob that its file cannot be opened or read. */
export function asFrameError(blob: FramedBlob, cause: NodeJS.ErrnoException): Outage {
  return lossCodes.includes(cause.code ?? "") ? new DamagedFrame(blob, cause) : new Outage("message files", { cause });
}

/** A frame's head, which its bytes follow. */
export function frameHead(id: string, bytes: Buffer): Buffer {
  const head = Buffer.allocUnsafe(frameHeadBytes);
  magic.copy(head);
  uuidBytes(id).copy(head, idAt);
  head.writeUInt32BE(bytes.length, sizeAt);
  head.writeUInt32BE(checksum(head, bytes), magic.length);
  return head;
}

/** @throws DamagedFrame; Outage */
export async function readFrame(file: FileHandle, blob: FramedBlob): Promise<Buffer> {
  const frame = Buffer.allocUnsafe(frameHeadBytes + blob.sizeBytes);
  for (let read = 0; read < frame.length; ) {
    const { bytesRead } = await file.read(frame, read, frame.length - read, blob.offset + read).catch((cause) => {
      throw asFrameError(blob, cause);
    });
    if (bytesRead === 0) throw new DamagedFrame(blob);
    read += bytesRead;
  }
  const bytes = frame.subarray(frameHeadBytes);
  const isWhole =
    frame.subarray(0, magic.length).equals(magic) &&
    frame.readUInt32BE(magic.length) === checksum(frame, bytes) &&
    frame.subarray(idAt, sizeAt).equals(uuidBytes(blob.id)) &&
    frame.readUInt32BE(sizeAt) === blob.sizeBytes;
  if (!isWhole) throw new DamagedFrame(blob);
  return bytes;
}

function checksum(head: Buffer, bytes: Buffer): number {
  return crc32(bytes, crc32(head.subarray(idAt, frameHeadBytes)));
}
