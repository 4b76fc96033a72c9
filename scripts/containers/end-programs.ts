import { readFile } from "node:fs/promises";
import { runCommand } from "../peers/command.ts";
import { endGroups } from "./control-groups.ts";
import { daemonNames, stopDaemon } from "./daemon.ts";
import type { Place } from "./places.ts";

const limitMs = 30_000;

/** Ends all that runs at a place, and takes away what it had mounted. */
export async function endPrograms(place: Place): Promise<void> {
  for (const name of await daemonNames(place)) await stopDaemon(place, name);
  await endGroups(place);
  // The last first.
  const lines = (await readFile("/proc/self/mountinfo", "utf8")).split("\n").reverse();
  const points = lines.map((line) => line.split(" ")[4] ?? "").filter((point) => point.startsWith(`${place.folder}/`));
  for (const point of points) await runCommand("umount", ["--lazy", point], limitMs);
}
