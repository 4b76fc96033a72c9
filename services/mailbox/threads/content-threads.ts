import type { ContentLimits } from "../limits.ts";
import { ThreadPool } from "./thread-pool.ts";

const mebibyte = 1024 * 1024;
/** One parses, the other renders what is asked for. */
const threadCount = 2;
/** A thread's code, and what parsing and rendering hold besides the texts. */
const baseHeapMb = 24;
/** Four texts of a character in two octets, each as it is and as it is made. */
const heapPerPayloadMb = 4;
const cpuMs = 3_000;
const timeMs = 100_000;
const idleMs = 10_000;

/** The threads that parse and render what is large. */
export function contentThreads({ payloadBytes }: ContentLimits): ThreadPool {
  const heapMb = baseHeapMb + heapPerPayloadMb * (payloadBytes / mebibyte);
  return new ThreadPool({ size: threadCount, idleMs, limits: { heapMb, cpuMs, timeMs } });
}
