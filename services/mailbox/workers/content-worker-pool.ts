import type { ContentLimits } from "../limits.ts";
import { WorkerPool } from "./worker-pool.ts";

const mebibyte = 1024 * 1024;
/** One parses, the other renders what is asked for. */
const workerCount = 2;
/** A worker's code, and what parsing and rendering hold besides the texts. */
const baseHeapMb = 24;
/** Four texts of a character in two octets, each as it is and as it is made. */
const heapPerPayloadMb = 4;
const cpuMs = 3_000;
const timeMs = 100_000;
const idleMs = 10_000;

/** The workers that parse and render what is large. */
export function contentWorkerPool({ payloadBytes }: ContentLimits): WorkerPool {
  const heapMb = baseHeapMb + heapPerPayloadMb * (payloadBytes / mebibyte);
  return new WorkerPool({ size: workerCount, idleMs, limits: { heapMb, cpuMs, timeMs } });
}
