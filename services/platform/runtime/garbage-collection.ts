import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * What node is started with, in package.json and the image too, since V8 reads it as it begins. Otherwise the young generation of a process
 * under load grows to 64 MiB and stays so: 1,200 messages of 4 KiB took one process from 131 to 275 MiB, and with half of this to 174, for the same CPU.
 * With half of it, messages of 100 KiB were held for longer than two collections of the young generation took to come, so that V8 went through the
 * whole heap to free each of them: a tenth of all CPU, for 12 MiB.
 *
 * Nor does V8 give memory back after 8 s in which little is allocated: mail comes in bursts, and messages of 100 KiB took a third more CPU in floods of
 * a few seconds between pauses; for 70 MiB that an idle process holds after them. At most, within one run of both, it held as much; after floods of several sizes 20 to 50 MiB more.
 */
export const heapOptions = ["--max-semi-space-size=16", "--no-memory-reducer"];

/**
 * Likewise. glibc gives each of node's dozen threads memory of its own, which it keeps: two such arenas took 9 MiB less of an idle process.
 * Blocks from the threshold on are mapped one by one, and go back to the system when they are freed. Unless it is given, glibc raises it up to
 * 32 MiB with each such block that is freed, and keeps what is below: another 9 MiB after a flood.
 * And graphql looks at each value for a second copy of itself unless it is told that this is no developer's process: a fiftieth of an answer.
 */
export const startEnvironment = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", NODE_ENV: "production" };

/**
 * Has V8 look for buffers to free after 32 MiB of new ones rather than 128, even while it goes through the whole heap.
 * Each read of a socket leaves a buffer behind that lives for a moment; to V8's heap it is a few words, so that it lets
 * them pile up. With this, 20 messages of 30 MiB at once cost half the CPU, and less than half the memory.
 */
export function collectBuffersEarly(): void {
  setFlagsFromString("--scavenger-max-new-space-capacity-mb=8");
  setFlagsFromString("--no-separate-gc-phases");
}

/**
 * Has V8 go through the whole heap once it has grown by 60 rather than 40 %, buffers included: at 100 KiB a message, what it marked in
 * threads of its own for each 30 MiB of them was a third of all CPU, and is a fifth; for 16 MiB more under load.
 */
export function letHeapGrow(): void {
  setFlagsFromString("--heap-growing-percent=60");
}

/**
 * Frees what only the start needed: sources, syntax trees, what was read to be built. By itself V8 waits until the heap has grown by
 * as much again, which that of a process with little to do never does: it would hold 50 MiB more for as long as it runs. The flavour that
 * is meant for a heap that is full also gives the pages back; without it most processes kept theirs.
 */
export function collectAfterStart(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: string; execution: string; flavor: string }) => void;
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
