import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asFrameError, type FramedBlob, frameHeadBytes, readFrame } from "./frames.ts";

/** Below DATA_DIR, with a folder for each schema: beside the cluster whose rows speak of them, so that who moves or copies one has both. */
const folderName = "postgres/segments";
/** Digits, so that names have the order of numbers. */
const nameOf = (number: number) => `${String(number).padStart(10, "0")}.segment`;
const namePattern = /^\d{10}\.segment$/;
/** Follows the name of a segment that is being written anew. */
const anewSuffix = ".anew";

/** The files of one schema: segments, each of which many blobs lie in, one frame after the other. Any process may read them. */
export class SegmentFolder {
  readonly #path: string;

  constructor(dataDir: string, schema: string) {
    this.#path = join(dataDir, folderName, schema);
  }

  /** The numbers of all segments, in order. */
  async numbers(): Promise<number[]> {
    const ours = (await this.#names()).filter((name) => namePattern.test(name));
    return ours.map((name) => Number.parseInt(name, 10)).sort((one, other) => one - other);
  }

  async #names(): Promise<string[]> {
    return readdir(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
  }

  /** The bytes of a blob, as they were written. @throws DamagedFrame, also where the file is gone; Outage */
  async read(blob: FramedBlob): Promise<Buffer> {
    const file = await this.open(blob.segment).catch((cause) => {
      throw asFrameError(blob, cause);
    });
    try {
      return await readFrame(file, blob);
    } finally {
      await file.close();
    }
  }

  open(number: number): Promise<FileHandle> {
    return open(this.#file(number), "r");
  }

  /** A new file, which is there after a crash of the machine as well. */
  async create(number: number): Promise<FileHandle> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    const file = await open(this.#file(number), "wx", 0o600);
    try {
      for (const folder of [this.#path, dirname(this.#path), dirname(dirname(this.#path))]) await syncFolder(folder);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async size(number: number): Promise<number> {
    return (await stat(this.#file(number))).size;
  }

  /** When it was written to last. */
  async writtenAt(number: number): Promise<Date> {
    return (await stat(this.#file(number))).mtime;
  }

  /** Takes away its end. When it was written to last stays. */
  async cut(number: number, sizeBytes: number): Promise<void> {
    const file = await open(this.#file(number), "r+");
    try {
      const { atime, mtime } = await file.stat();
      await file.truncate(sizeBytes);
      await file.utimes(atime, mtime);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Writes a segment anew with these frames alone, each where it was and as far as it can be read. */
  async keepOnly(number: number, frames: readonly FramedBlob[]): Promise<void> {
    const anew = `${this.#file(number)}${anewSuffix}`;
    const to = await open(anew, "w", 0o600);
    try {
      const from = await this.open(number);
      try {
        for (const { offset, sizeBytes } of frames) {
          const frame = Buffer.alloc(frameHeadBytes + sizeBytes);
          const { bytesRead } = await from.read(frame, 0, frame.length, offset).catch(unreadable);
          await to.write(frame, 0, bytesRead, offset);
        }
      } finally {
        await from.close();
      }
      await to.sync();
    } finally {
      await to.close();
    }
    await rename(anew, this.#file(number));
    await syncFolder(this.#path);
  }

  /** What `keepOnly` has left behind when it was killed. */
  async removePartial(): Promise<void> {
    const partial = (await this.#names()).filter((name) => name.endsWith(anewSuffix));
    for (const name of partial) await rm(join(this.#path, name), { force: true });
  }

  async remove(number: number): Promise<void> {
    await rm(this.#file(number), { force: true });
  }

  #file(number: number): string {
    return join(this.#path, nameOf(number));
  }
}

function unreadable(error: NodeJS.ErrnoException): { bytesRead: number } {
  if (error.code === "EIO") return { bytesRead: 0 };
  throw error;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
