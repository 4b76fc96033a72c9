import type { FileHandle } from "node:fs/promises";
import { Batcher } from "../../concurrency/batcher.ts";
import { hourMs } from "../../durations.ts";
import { Outage } from "../../errors.ts";
import { type FramePlace, frameHead } from "./frames.ts";
import type { SegmentFolder } from "./segment-folder.ts";

const segmentBytes = 16 * 1024 * 1024;
/** A segment takes no more after it, so that where little mail comes in the oldest in it is not much older than the newest. */
const maxOpenMs = hourMs;
/** Blobs of one flush at most. */
const maxBlobs = 256;
/** How long a transaction may take to commit what was appended for it. */
const maxUncommittedMs = hourMs;

interface NewBlob {
  readonly id: string;
  readonly bytes: Buffer;
}

interface OpenSegment {
  readonly number: number;
  readonly file: FileHandle;
  /** On performance.now's clock. */
  readonly openedAtMs: number;
  sizeBytes: number;
}

/** Blobs of a segment whose rows are not committed yet, as far as this process knows. */
interface Uncommitted {
  count: number;
  /** On performance.now's clock. */
  lastAtMs: number;
}

/** Appends blobs to the newest segment. One process alone does so, by one writer. */
export class SegmentWriter {
  readonly #folder: SegmentFolder;
  readonly #uncommitted = new Map<number, Uncommitted>();
  /** What arrives during a flush shares the next one. */
  readonly #appends: Batcher<NewBlob, FramePlace>;
  #open: OpenSegment | undefined;
  #nextNumber: number;

  constructor(folder: SegmentFolder, nextNumber: number) {
    this.#folder = folder;
    this.#nextNumber = nextNumber;
    this.#appends = new Batcher({
      name: "append to a segment",
      slots: 1,
      maxItems: maxBlobs,
      onFailure: "isolate",
      run: (blobs) => this.#append(blobs),
    });
  }

  /**
   * Resolves once the blobs are on the disk. Their segment stays until `committed` is called for each, or for an hour: a commit whose answer
   * was lost may still come.
   * @throws Outage: nothing can be said of what lies there now, and no row may speak of it
   */
  append(blobs: readonly NewBlob[]): Promise<readonly FramePlace[]> {
    return this.#appends.submitAll(blobs);
  }

  /** Rows speak of these now, so that whoever looks for needed segments finds them. */
  committed(places: readonly FramePlace[]): void {
    for (const { segment } of places) {
      const uncommitted = this.#uncommitted.get(segment);
      if (!uncommitted) continue;
      uncommitted.count -= 1;
      if (uncommitted.count <= 0) this.#uncommitted.delete(segment);
    }
  }

  /** Whether more may be written to a segment, or a row may come that speaks of it. */
  isInUse(number: number): boolean {
    const uncommitted = this.#uncommitted.get(number);
    const isAwaited = uncommitted !== undefined && performance.now() - uncommitted.lastAtMs < maxUncommittedMs;
    if (uncommitted && !isAwaited) this.#uncommitted.delete(number);
    return isAwaited || number === this.#open?.number || number >= this.#nextNumber;
  }

  /** Ends the open segment if it has been open for long enough. */
  async endOld(): Promise<void> {
    await this.append([]);
  }

  /** Finishes what is being written. */
  async close(): Promise<void> {
    await this.#appends.stop();
    await this.#end();
  }

  async #append(blobs: readonly NewBlob[]): Promise<FramePlace[]> {
    if (this.#open && isDone(this.#open)) await this.#end();
    if (blobs.length === 0) return [];
    try {
      return await this.#write(this.#open ?? (await this.#begin()), blobs);
    } catch (cause) {
      // After a failed flush the system may hold for written what is not: nothing more goes there, and the flush is not tried again.
      await this.#end();
      throw new Outage("message files", { cause });
    }
  }

  async #write(open: OpenSegment, blobs: readonly NewBlob[]): Promise<FramePlace[]> {
    const { number: segment, file } = open;
    const pieces: Buffer[] = [];
    const places: FramePlace[] = [];
    let offset = open.sizeBytes;
    for (const { id, bytes } of blobs) {
      const head = frameHead(id, bytes);
      pieces.push(head, bytes);
      places.push({ segment, offset });
      offset += head.length + bytes.length;
    }
    await writeAll(file, pieces, open.sizeBytes);
    await file.datasync();
    open.sizeBytes = offset;
    const count = (this.#uncommitted.get(segment)?.count ?? 0) + blobs.length;
    this.#uncommitted.set(segment, { count, lastAtMs: performance.now() });
    return places;
  }

  /** In use from before its file is there: it has no row yet, and would be removed. */
  async #begin(): Promise<OpenSegment> {
    const number = this.#nextNumber;
    try {
      const file = await this.#folder.create(number);
      this.#open = { number, file, openedAtMs: performance.now(), sizeBytes: 0 };
      return this.#open;
    } finally {
      this.#nextNumber += 1;
    }
  }

  async #end(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    // What it could still say of former writes, their own flushes have said.
    await open?.file.close().catch(() => undefined);
  }
}

function isDone({ sizeBytes, openedAtMs }: OpenSegment): boolean {
  return sizeBytes >= segmentBytes || performance.now() - openedAtMs >= maxOpenMs;
}

/** A disk that is nearly full may take a part. */
async function writeAll(file: FileHandle, pieces: readonly Buffer[], position: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces, position);
  const all = pieces.reduce((size, { length }) => size + length, 0);
  if (bytesWritten === all) return;
  const rest = Buffer.concat(pieces).subarray(bytesWritten);
  for (let written = 0; written < rest.length; ) {
    const at = position + bytesWritten + written;
    written += (await file.write(rest, written, rest.length - written, at)).bytesWritten;
  }
}
