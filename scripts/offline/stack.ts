import { rm } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../../services/platform/files.ts";
import { Docker } from "../containers/docker.ts";
import { endPrograms } from "../containers/end-programs.ts";
import { posternImage } from "../containers/images.ts";
import { offlinePlace } from "../containers/places.ts";
import { cacheFolder } from "../peers/cache-folder.ts";
import { runCommand } from "../peers/command.ts";
import { buildOfflineImages } from "./images.ts";
import { dockerCompose } from "./programs.ts";

const root = join(import.meta.dirname, "../..");
const limitMs = 15 * 60_000;

type Say = (line: string) => void;

/** What Docker keeps, images among it. Exported for tests. */
export const keptFolder = cacheFolder("offline-docker");
const startDocker = () => Docker.start(offlinePlace, keptFolder);
export const isUp = () => exists(offlinePlace.folder);

/** Docker Compose over compose.yaml and compose.offline.yaml, by a Docker of their own. */
export async function compose(...words: string[]): Promise<string> {
  const docker = await startDocker();
  const files = ["compose.yaml", "compose.offline.yaml"].map((name) => `--file=${join(root, name)}`);
  return runCommand(
    "env",
    [`DOCKER_HOST=${docker.host}`, await dockerCompose(() => undefined), "--progress=quiet", ...files, ...words],
    limitMs,
  );
}

/** Builds the images and starts all of it; what runs and has not changed is left as it is. */
export async function up(say: Say): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error("a Docker of its own needs root: for networks, mounts and control groups");
  await dockerCompose(say);
  const docker = await startDocker();
  await buildOfflineImages(docker, say);
  // As compose.yaml has it.
  await docker.run("tag", posternImage, "postern:dev");
  say("starting containers");
  await compose("up", "--detach", "--wait", "--no-build", "--pull=never", "--remove-orphans");
  say((await running()).trim());
}

/** Its containers, a line each. */
export const running = () => compose("ps", "--all", "--format={{.Service}} {{.Status}}");

export async function status(say: Say): Promise<void> {
  say((await isUp()) ? (await running()).trim() : "nothing runs: npm run offline -- up");
}

/** Takes away all of it but what it was built from. */
export async function down(): Promise<void> {
  if (await isUp()) await compose("down", "--volumes", "--remove-orphans");
  await endPrograms(offlinePlace);
  await rm(offlinePlace.folder, { recursive: true, force: true });
}
