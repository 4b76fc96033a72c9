import type { FileHandle } from "node:fs/promises";
import { DamagedFrame, type FramedBlob, readFrame } from "../../platform/blobs/segments/frames.ts";
import { SegmentFolder } from "../../platform/blobs/segments/segment-folder.ts";

/** The segments of one schema, held open, so that they can be read after the running process has removed them. */
export class HeldSegments {
  readonly #folder: SegmentFolder;
  readonly #files = new Map<number, FileHandle>();

  constructor(dataDir: string, schema: string) {
    this.#folder = new SegmentFolder(dataDir, schema);
  }

  /** Opens what is there now and not held yet. */
  async hold(): Promise<void> {
    for (const number of await this.#folder.numbers()) {
      if (this.#files.has(number)) continue;
      // What has gone since it was listed, nobody needs.
      const file = await this.#folder.open(number).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      if (file) this.#files.set(number, file);
    }
  }

  /** Whether all segments that these are in are held. */
  hasAll(blobs: readonly FramedBlob[]): boolean {
    return blobs.every(({ segment }) => this.#files.has(segment));
  }

  /** Undefined for what is damaged. */
  async read(blob: FramedBlob): Promise<Buffer | undefined> {
    const file = this.#files.get(blob.segment);
    try {
      return file && (await readFrame(file, blob));
    } catch (error) {
      if (error instanceof DamagedFrame) return undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await file.close();
  }
}
