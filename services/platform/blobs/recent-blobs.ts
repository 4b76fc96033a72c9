import { LRUCache } from "lru-cache";
import type { PreparedBlob } from "./types.ts";

/** More than a flood has between its commits and its deliveries. */
const limitBytes = 16 * 1024 * 1024;
/** After it they are read from their rows again: another process may have removed them. */
const trustedMs = 5_000;

/**
 * A cache of blobs that were just attached, each until it was read as often as is expected. Who reads them at once needs no statement.
 *
 * What will not be read again is let go of at once: the longer a buffer lives, the more it costs V8 to find that it is free. Of messages of
 * 100 KiB, V8's own threads took a third more CPU when they stayed until their removal, half a second later.
 */
export class RecentBlobs {
  readonly #kept = new LRUCache<string, { readonly bytes: Buffer; readonly keptAtMs: number; readsLeft: number }>({
    maxSize: limitBytes,
    // The memory that is held for them.
    sizeCalculation: ({ bytes }) => bytes.buffer.byteLength,
  });

  /** @param expectedReads how often each will be read, in the order of the blobs */
  keep(blobs: readonly PreparedBlob[], expectedReads: readonly number[]): void {
    const keptAtMs = performance.now();
    for (const [at, { id, bytes }] of blobs.entries()) {
      const readsLeft = expectedReads[at] ?? 0;
      if (bytes && bytes.length > 0 && readsLeft > 0) this.#kept.set(id, { bytes, keptAtMs, readsLeft });
    }
  }

  /** Undefined for what was read as often as it was to be, what there was no room for, and what came too long ago. */
  read(id: string): Buffer | undefined {
    const kept = this.#kept.get(id);
    if (!kept) return undefined;
    kept.readsLeft -= 1;
    const isTrusted = performance.now() - kept.keptAtMs < trustedMs;
    if (kept.readsLeft === 0 || !isTrusted) this.#kept.delete(id);
    return isTrusted ? kept.bytes : undefined;
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#kept.delete(id);
  }
}
