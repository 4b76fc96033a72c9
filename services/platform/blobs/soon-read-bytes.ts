import { LRUCache } from "lru-cache";
import type { PreparedBlob } from "./types.ts";

/** More than a flood has between its commits and its deliveries. */
const limitBytes = 16 * 1024 * 1024;

/**
 * Bytes that are read soon, in memory until then. Whether they are still stored, their rows alone say.
 *
 * What will not be read again is let go of at once: the longer a buffer lives, the more it costs V8 to find that it is free. Of messages of
 * 100 KiB, V8's own threads took a third more CPU when they stayed until their removal, half a second later.
 */
export class SoonReadBytes {
  readonly #kept = new LRUCache<string, { readonly bytes: Buffer; readsLeft: number }>({
    maxSize: limitBytes,
    // The memory that is held for them.
    sizeCalculation: ({ bytes }) => bytes.buffer.byteLength,
  });

  /** @param soonReads how often each will be read, in the order of the blobs */
  keep(blobs: readonly PreparedBlob[], soonReads: readonly number[]): void {
    for (const [at, { id, bytes }] of blobs.entries()) {
      const readsLeft = soonReads[at] ?? 0;
      if (bytes && bytes.length > 0 && readsLeft > 0) this.#kept.set(id, { bytes, readsLeft });
    }
  }

  /** Undefined for what was read as often as it was to be, and what there was no room for. */
  read(id: string): Buffer | undefined {
    const kept = this.#kept.get(id);
    if (!kept) return undefined;
    kept.readsLeft -= 1;
    if (kept.readsLeft === 0) this.#kept.delete(id);
    return kept.bytes;
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#kept.delete(id);
  }
}
